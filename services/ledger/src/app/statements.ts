import type { WorkerPool } from '@asiento/chassis/workers'
import { fail } from '@asiento/proto/errors'
import { euros } from '@asiento/proto/money'
import type { Handlers } from '@asiento/proto/rpc'
import { sql } from 'kysely'
import { clip } from '../domain/clip.ts'
import type { CsvMapping, MappingRequest, Statement, StatementMovement } from '../domain/statements/statement.ts'
import { type Ledger, nowOf } from './ledger.ts'
import type { StatementTask } from './statement-worker.ts'

type StatementHandlers = Pick<Handlers<'ledger'>, 'importStatement' | 'setStatementMapping'>

/** Bank statements as movements; what an earlier file had is told apart. */
export const statements = (ledger: Ledger, reader: WorkerPool<StatementTask, Statement>): StatementHandlers => ({
  importStatement: async ({ files, query }, { actor }) => {
    const [upload] = files
    const bytes = upload === undefined ? null : await ledger.objects.get(upload.objectKey)
    if (bytes === null || bytes.length === 0) return fail('INVALID_INPUT', { detail: 'The file is missing or empty.' })
    const mappings = await mappingsOf(ledger, actor.userId)
    const statement = await reader.run({ bytes, mappings, account: query.account || null })
    if (statement.format === null) {
      fail('FILE_TYPE_INVALID', { detail: statement.errors[0]?.message ?? 'The file is no bank statement.' })
    }
    const fresh = await keepMovements(ledger, actor.userId, statement.movements)
    return {
      format: statement.format,
      bank: statement.bank,
      movements: statement.movements.filter(({ id }) => fresh.has(id)).map(movementView),
      duplicates: statement.movements.filter(({ id }) => !fresh.has(id)).map(movementView),
      errors: statement.errors,
      mapping_request: mappingView(statement.mappingRequest),
    }
  },

  setStatementMapping: async ({ body }, { actor }) => {
    const { value_date, date_order, ...columns } = body.mapping
    const mapping = JSON.stringify({ ...columns, valueDate: value_date, dateOrder: date_order } satisfies CsvMapping)
    await ledger.db.query
      .insertInto('statement_mappings')
      .values({ user_id: actor.userId, layout_key: body.layout_key, mapping })
      .onConflict((conflict) => conflict.columns(['user_id', 'layout_key']).doUpdateSet({ mapping }))
      .execute()
    return body
  },
})

async function mappingsOf({ db }: Ledger, userId: number): Promise<Map<string, CsvMapping>> {
  const rows = await db.query
    .selectFrom('statement_mappings')
    .select(['layout_key', 'mapping'])
    .where('user_id', '=', userId)
    .execute()
  return new Map(rows.map((row) => [row.layout_key, row.mapping]))
}

/** Keeps movements that were not known and answers which they are. */
async function keepMovements(
  ledger: Ledger,
  userId: number,
  movements: readonly StatementMovement[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    insert into bank_movements (user_id, id, date, amount_cents, description, imported_at)
    select ${userId}::bigint, movement.*, ${`${nowOf(ledger)}+00`}::timestamptz
    from unnest(${movements.map(({ id }) => id)}::text[], ${movements.map(({ date }) => date)}::date[],
      ${movements.map(({ amountCents }) => amountCents)}::bigint[],
      ${movements.map(({ description }) => clip(description, 2000))}::text[]) as movement
    on conflict do nothing returning id`.execute(ledger.db.query)
  return new Set(rows.map((row) => row.id))
}

const movementView = (movement: StatementMovement) => ({
  id: movement.id,
  date: movement.date,
  value_date: movement.valueDate,
  amount: euros(movement.amountCents),
  description: movement.description,
  balance: movement.balanceCents === null ? null : euros(movement.balanceCents),
  currency: movement.currency,
  reference: movement.reference,
  account: movement.account,
})

const mappingView = (request: MappingRequest | null) =>
  request === null
    ? null
    : {
        layout_key: request.layoutKey,
        delimiter: request.delimiter,
        columns: request.columns,
        sample: request.sample,
        guess: guessView(request.guess),
      }

const guessView = ({ valueDate, dateOrder, ...columns }: Partial<CsvMapping>) => ({
  ...columns,
  value_date: valueDate,
  date_order: dateOrder,
})
