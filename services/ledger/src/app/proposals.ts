import { euros } from '@asiento/proto/money'
import type { Handlers } from '@asiento/proto/rpc'
import type { ProposalCreate, ProposalPatch } from '@asiento/proto/schemas/ledger/proposals'
import { timestamp } from '@asiento/proto/time'
import { type Selectable, sql } from 'kysely'
import { lockBooks } from '../adapters/out/books.ts'
import { takeNumbers } from '../adapters/out/number-series.ts'
import type { ProposalsTable } from '../adapters/out/tables.ts'
import { defaultAccount } from '../domain/accounts.ts'
import type { EntryAmounts } from '../domain/entry.ts'
import { seriesNumber } from '../domain/invoice-series.ts'
import { lineTotal, type PricedLine, sumLines } from '../domain/line-items.ts'
import { checkConvertible, checkProposalEdit, effectiveStatus, moveProposal } from '../domain/proposal-state.ts'
import { entryView } from './entry-view.ts'
import { type Ledger, type LedgerTx, nowOf, todayOf } from './ledger.ts'
import { owned } from './owned.ts'
import { recordEntries } from './record-entries.ts'
import { checkSums } from './recurring.ts'

type ProposalRow = Selectable<ProposalsTable>
type ProposalHandlers = Pick<
  Handlers<'ledger'>,
  'listProposals' | 'createProposal' | 'updateProposal' | 'deleteProposal' | 'convertProposal'
>

const proposalSeries = 'P'

/** Proposals to clients, from draft to income. */
export const proposals = (ledger: Ledger): ProposalHandlers => ({
  listProposals: async ({ query }, { actor }) => {
    const { limit, offset, status } = query
    await expireProposals(ledger, actor.userId)
    let select = ledger.db.query.selectFrom('proposals').where('user_id', '=', actor.userId)
    if (status !== '') select = select.where('status', '=', status)
    const { count } = await select.select(sql<number>`count(*)::bigint`.as('count')).executeTakeFirstOrThrow()
    const rows = await select.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
    return { items: rows.map(proposalView), total: count, limit, offset, has_more: offset + rows.length < count }
  },

  createProposal: async ({ body }, { actor }) =>
    ledger.db.transaction(async (tx) => {
      const content = contentOf(body)
      const [number = 0] = await takeNumbers(tx, { userId: actor.userId, kind: 'proposal', series: proposalSeries }, 1)
      const now = `${nowOf(ledger)}+00`
      const row = await tx
        .insertInto('proposals')
        .values({
          ...content,
          user_id: actor.userId,
          number: seriesNumber(proposalSeries, number),
          status: body.status,
          valid_until: body.valid_until ?? null,
          notes: body.notes || null,
          entry_id: null,
          created_at: now,
          updated_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return proposalView(row)
    }),

  updateProposal: async ({ params, body }, { actor }) =>
    ledger.db.transaction(async (tx) => {
      const row = await proposalForUpdate(ledger, tx, params.pid, actor.userId)
      const { status, ...edits } = body
      const named = Object.entries(edits).filter(([, value]) => value !== undefined)
      checkProposalEdit(
        row.status,
        named.map(([field]) => field),
      )
      const next = moveProposal(row.status, status ?? row.status)
      const saved = await tx
        .updateTable('proposals')
        .set({ ...editedContent(row, edits), status: next, updated_at: `${nowOf(ledger)}+00` })
        .where('id', '=', row.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      return proposalView(saved)
    }),

  deleteProposal: async ({ params }, { actor }) => {
    await ledger.db.transaction(async (tx) => {
      const row = await proposalForUpdate(ledger, tx, params.pid, actor.userId)
      await tx.deleteFrom('proposals').where('id', '=', row.id).execute()
    })
    return undefined
  },

  convertProposal: async ({ params }, { actor }) =>
    ledger.db.transaction(async (tx) => {
      const books = await lockBooks(tx, actor.userId)
      const row = await proposalForUpdate(ledger, tx, params.pid, actor.userId)
      checkConvertible(row.status)
      const now = nowOf(ledger)
      const [entry] = await recordEntries(
        tx,
        books,
        [
          {
            ...amountsOf(row),
            type: 'income',
            status: 'pending',
            date: todayOf(ledger),
            dueDate: null,
            concept: row.title,
            counterpartyName: row.client.name,
            counterpartyVat: row.client.vat,
            invoiceNumber: null,
            accountCode: defaultAccount.income,
            paymentMethod: null,
            paidAt: null,
            notes: `Presupuesto ${row.number}`,
            source: 'proposal',
            logId: null,
          },
        ],
        now,
      )
      if (entry === undefined) throw new Error('the proposal was not recorded')
      const saved = await tx
        .updateTable('proposals')
        .set({ status: 'converted', entry_id: entry.id, updated_at: `${now}+00` })
        .where('id', '=', row.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      return { ...proposalView(saved), entry: entryView(entry) }
    }),
})

/** Marks sent proposals whose last day has passed; of one account, or of all. */
export async function expireProposals(ledger: Ledger, userId?: number): Promise<void> {
  let update = ledger.db.query
    .updateTable('proposals')
    .set({ status: 'expired', updated_at: `${nowOf(ledger)}+00` })
    .where('status', '=', 'sent')
    .where('valid_until', '<', todayOf(ledger))
  if (userId !== undefined) update = update.where('user_id', '=', userId)
  await update.execute()
}

async function proposalForUpdate(ledger: Ledger, tx: LedgerTx, id: number, userId: number): Promise<ProposalRow> {
  const row = await tx.selectFrom('proposals').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  const proposal = owned(row, userId)
  return { ...proposal, status: effectiveStatus(proposal.status, proposal.valid_until, todayOf(ledger)) }
}

type Content = Pick<ProposalCreate, 'client' | 'title' | 'line_items' | 'irpf_rate' | 'base' | 'tax' | 'total'>

function contentOf(body: Content) {
  const amounts = sumLines(body.line_items, body.irpf_rate ?? null)
  checkSums(body, amounts)
  const { name, vat, email, address } = body.client
  return {
    client: JSON.stringify({ name, vat: vat || null, email: email || null, address: address || null }),
    title: body.title,
    line_items: JSON.stringify(
      body.line_items.map((line) => ({ ...line, tax_rate: line.tax_rate ?? 21, total: euros(lineTotal(line)) })),
    ),
    base_cents: amounts.baseCents,
    tax_cents: amounts.taxCents,
    irpf_rate: amounts.irpfRate,
    irpf_cents: amounts.irpfCents,
    total_cents: amounts.totalCents,
  }
}

function editedContent(row: ProposalRow, edits: Omit<ProposalPatch, 'status'>) {
  const touchesSums = ['client', 'title', 'line_items', 'irpf_rate', 'base', 'tax', 'total'].some(
    (field) => edits[field as keyof typeof edits] !== undefined,
  )
  const content: Content = {
    client: edits.client ?? row.client,
    title: edits.title ?? row.title,
    line_items: edits.line_items ?? linesOf(row),
    irpf_rate: edits.irpf_rate === undefined ? numberOrNull(row.irpf_rate) : edits.irpf_rate,
    base: edits.base,
    tax: edits.tax,
    total: edits.total,
  }
  return {
    ...(touchesSums ? contentOf(content) : {}),
    valid_until: edits.valid_until === undefined ? row.valid_until : edits.valid_until,
    notes: edits.notes === undefined ? row.notes : edits.notes || null,
  }
}

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text))

type ProposalLine = PricedLine & { tax_rate: number; total: number }

/** The lines with their fields in reading order: `jsonb` sorts them by length. */
const linesOf = (row: ProposalRow): ProposalLine[] =>
  (row.line_items as unknown as ProposalLine[]).map(({ description, quantity, unit_price, tax_rate, total }) => ({
    description,
    quantity,
    unit_price,
    tax_rate,
    total,
  }))

/** The amounts of the entry: with the rates of the lines. */
const amountsOf = (row: ProposalRow): EntryAmounts => sumLines(linesOf(row), numberOrNull(row.irpf_rate))

const proposalView = (row: ProposalRow) => ({
  id: row.id,
  number: row.number,
  client: {
    name: row.client.name,
    vat: row.client.vat,
    email: row.client.email,
    address: row.client.address,
  },
  title: row.title,
  line_items: linesOf(row),
  base: euros(row.base_cents),
  tax: euros(row.tax_cents),
  irpf_rate: numberOrNull(row.irpf_rate),
  irpf_amount: euros(row.irpf_cents),
  total: euros(row.total_cents),
  valid_until: row.valid_until,
  status: row.status,
  notes: row.notes,
  entry_id: row.entry_id,
  created_at: timestamp(row.created_at),
  updated_at: timestamp(row.updated_at),
})
