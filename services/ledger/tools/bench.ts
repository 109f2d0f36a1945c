/**
 * How the ledger's cost grows: posting against bare inserts, bank matching against one query per movement, lists and
 * insights of an account of ten years against one of a quarter. Ratios of one run on one machine, never absolute times.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@asiento/chassis/embedded-postgres'
import { startTestService, type TestService, testActor } from '@asiento/chassis/testing/service'
import { addDays } from '@asiento/proto/time'
import { insertLines, insertTransactions, lockBooks, post } from '../src/adapters/out/books.ts'
import type { Tables } from '../src/adapters/out/tables.ts'
import { pendingEntries } from '../src/app/bank.ts'
import { matchMovements } from '../src/domain/bank/match.ts'
import { chainRows, emptyChain } from '../src/domain/hash-chain.ts'
import type { Posting } from '../src/domain/posting.ts'
import { ledger } from '../src/service.ts'

export interface LedgerBenchRow {
  what: string
  value: number
  unit: string
  /** What the value must reach; null where it is for information. */
  goal: string | null
  reached: boolean | null
}

type Service = TestService<'ledger', Tables>

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
/** Less moved than the median by what else the machine does. */
const lowerQuartile = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 2] ?? 0
const rounded = (value: number): number => Math.round(value * 100) / 100

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const row = (what: string, value: number, unit: string, goal?: { text: string; reached: boolean }): LedgerBenchRow => ({
  what,
  value: rounded(value),
  unit,
  goal: goal?.text ?? null,
  reached: goal?.reached ?? null,
})

export interface LedgerBenchOptions {
  /** Entries of the large account. */
  entries?: number
  /** Movements and pending entries of the bank match. */
  movements?: number
  pending?: number
}

/** Runs all of it on the server that TEST_POSTGRES_URL names. */
export async function benchLedger(options: LedgerBenchOptions = {}): Promise<LedgerBenchRow[]> {
  const service = await startTestService(ledger, { clock: { now: () => new Date('2026-03-31T10:00:00Z') } })
  try {
    return [
      ...(await benchPosting(service)),
      ...(await benchBank(service, options.movements ?? 10_000, options.pending ?? 100_000)),
      ...(await benchGrowth(service, options.entries ?? 1_000_000)),
    ]
  } finally {
    await service.stop()
  }
}

const postingsPerBatch = 1000

function postings(count: number, seed: number): Posting[] {
  return Array.from({ length: count }, (_, at) => ({
    kind: 'accrual' as const,
    date: addDays('2025-01-01', (at * 7 + seed) % 365),
    entryId: at + 1,
    concept: `Fra. F-${seed}-${at} · Talleres del Norte SL · Reparación`,
    lines: [
      { accountCode: '430', debitCents: 12_100 + at, creditCents: 0 },
      { accountCode: '705', debitCents: 0, creditCents: 10_000 },
      { accountCode: '477', debitCents: 0, creditCents: 2_100 + at },
    ],
  }))
}

/** Chained postings in batches against bare inserts of rows of the same shape into the same tables. */
async function benchPosting({ db, call }: Service): Promise<LedgerBenchRow[]> {
  const createdAt = '2026-01-01 10:00:00'
  const bare: number[] = []
  const posted: number[] = []
  for (let round = 0; round < 15; round += 1) {
    const batch = postings(postingsPerBatch, round)
    const { rows } = chainRows(
      { ...emptyChain, id: round * postingsPerBatch },
      batch.map((posting) => ({ ...posting, userId: 900, createdAt })),
    )
    bare.push(
      await timed(() =>
        db.transaction(async (tx) => {
          await insertTransactions(tx, 900, rows, createdAt)
          await insertLines(tx, 900, rows)
        }),
      ),
    )
    posted.push(await timed(() => db.transaction(async (tx) => post(tx, await lockBooks(tx, 901), batch, createdAt))))
  }
  const share = (100 * median(bare)) / median(posted)
  const verified = await timed(() =>
    call.verifyJournal(
      { params: {}, query: {}, body: undefined, files: [], headers: {} },
      { actor: testActor({ userId: 901 }), requestId: 'bench' },
    ),
  )
  return [
    row('posting in batches of 1,000, of the bare insert rate', share, '%', { text: '≥ 50', reached: share >= 50 }),
    row('transactions posted', (postingsPerBatch * 1000) / median(posted), 'per second'),
    row('transactions verified', (15 * postingsPerBatch * 1000) / verified, 'per second'),
  ]
}

const seedPending = `
  insert into entries (user_id, type, status, date, due_date, concept, counterparty_name, counterparty_vat, invoice_number,
    base_cents, tax_rate, tax_cents, irpf_cents, total_cents, account_code, source, created_at, updated_at)
  select $1, case when n % 2 = 0 then 'income' else 'expense' end, 'pending', date '2025-01-01' + n % 365,
    case when n % 3 = 0 then date '2025-01-31' + n % 365 end, 'Servicio ' || n, 'Talleres ' || n % 1000 || ' del Norte SL',
    'B' || lpad((n % 9000000)::text, 8, '1'), 'F-' || n, 1000 + (n::bigint * 7919) % 5000000, 0, 0, 0,
    1000 + (n::bigint * 7919) % 5000000, case when n % 2 = 0 then '705' else '629' end, 'manual', now(), now()
  from generate_series(1, $2::int) as n`

async function benchBank(service: Service, movementCount: number, pendingCount: number): Promise<LedgerBenchRow[]> {
  const { db, call } = service
  await db.pool.query(seedPending, [910, pendingCount])
  await db.pool.query('analyze entries')
  const { rows: paid } = await db.pool.query(
    `select type, date::text, total_cents, invoice_number from entries where user_id = 910 order by md5(id::text) limit $1`,
    [movementCount],
  )
  const movements = paid.map((entry, at) => ({
    id: `m${at}`,
    date: addDays(entry.date, at % 7),
    amountCents: entry.type === 'income' ? entry.total_cents : -entry.total_cents,
    description: `TRANSF ${entry.invoice_number}`,
  }))
  const sample = movements.slice(0, Math.min(500, movements.length))
  const naives: number[] = []
  const founds: number[] = []
  for (let round = 0; round < 7; round += 1) {
    naives.push((await timed(() => queryEach(service, sample))) * (movements.length / sample.length))
    founds.push(
      await timed(() =>
        db.transaction(async (tx) => matchMovements(movements, await pendingEntries(tx, 910, movements))),
      ),
    )
  }
  const found = median(founds)
  const body = {
    movements: movements.map(({ amountCents, ...movement }) => ({ ...movement, amount: amountCents / 100 })),
  }
  const whole = await timed(() =>
    call.matchBank(
      { params: {}, query: {}, body, files: [], headers: {} },
      { actor: testActor({ userId: 910 }), requestId: 'bench' },
    ),
  )
  const times = median(naives.map((naive, round) => naive / (founds[round] ?? found)))
  return [
    row(`finding the matches of ${movementCount} movements`, found, 'ms'),
    row('one query per movement, over that', times, '×', { text: '≥ 20', reached: times >= 20 }),
    row('the whole request, settling and posting included', whole, 'ms'),
  ]
}

/** What one query per movement costs, on the same indexes. */
async function queryEach({ db }: Service, movements: readonly { date: string; amountCents: number }[]): Promise<void> {
  for (const { date, amountCents } of movements) {
    const magnitude = Math.abs(amountCents)
    await db.pool.query(
      `select id, total_cents, date, due_date, concept, counterparty_name, counterparty_vat, invoice_number from entries
       where user_id = 910 and status = 'pending' and type = $1 and total_cents between $2 and $3
         and (date between $4 and $5 or due_date between $4 and $5)`,
      [amountCents > 0 ? 'income' : 'expense', magnitude - 1, magnitude + 1, addDays(date, -10), addDays(date, 10)],
    )
  }
}

const quarterEntries = 10_000

/** Entries of the quarter from 2026-01-01, and of the ten years before it. */
const seedEntries = `
  insert into entries (user_id, type, status, date, due_date, concept, counterparty_name, counterparty_vat, invoice_number,
    base_cents, tax_rate, tax_cents, irpf_cents, total_cents, account_code, paid_at, source, created_at, updated_at)
  select $1, type, case when open then 'pending' when type = 'income' then 'collected' else 'paid' end, day, day + 30,
    'Servicio ' || n, 'Cliente ' || n % 500 || ' SL', 'B' || lpad((n % 500)::text, 8, '1'), 'F-' || n, 10000, 21, 2100, 0,
    12100, case when type = 'income' then '705' else '629' end, case when not open then day + 20 end, 'manual', now(), now()
  from (
    select n, case when n % 3 = 0 then 'expense' else 'income' end as type, n % 10 = 0 as open,
      $2::date + (n % $3::int) as day
    from generate_series(1, $4::int) as n) as seed`

const seedJournal = `
  with rows as (
    select row_number() over (order by id) as number, * from entries where user_id = $1
  ), heads as (
    insert into journal_transactions (user_id, id, kind, date, entry_id, concept, previous_hash, hash, created_at)
    select user_id, number, 'accrual', date, id, concept, 'bench', 'bench', now() from rows
  )
  insert into journal_lines (user_id, transaction_id, position, date, account_code, debit_cents, credit_cents)
  select user_id, number, side, date, case side when 0 then '572' else account_code end,
    case side when 0 then total_cents else 0 end, case side when 0 then 0 else total_cents end
  from rows, generate_series(0, 1) as side`

async function fill({ db }: Service, userId: number, older: number): Promise<void> {
  const client = await db.pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('drop index if exists entries_search')
    await client.query(seedEntries, [userId, '2026-01-01', 90, quarterEntries])
    for (let left = older; left > 0; left -= 100_000) {
      await client.query(seedEntries, [userId, '2016-01-01', 3652, Math.min(100_000, left)])
    }
    await client.query(
      `update entries set counterparty_name = 'Xilófono Único SL' where id in
         (select id from entries where user_id = $1 and date >= '2026-01-01' order by id limit 3)`,
      [userId],
    )
    await client.query(seedJournal, [userId])
    await client.query('create index entries_search on entries using gin (user_id, search public.gin_trgm_ops)')
    await client.query('vacuum analyze entries')
    await client.query('vacuum analyze journal_transactions')
    await client.query('vacuum analyze journal_lines')
    await client.query('set statement_timeout = 30000')
  } finally {
    client.release()
  }
}

async function benchGrowth(service: Service, entries: number): Promise<LedgerBenchRow[]> {
  await fill(service, 920, 0)
  await fill(service, 921, entries - quarterEntries)
  const request = (query: object) => ({ params: {}, query, body: undefined, files: [], headers: {} })
  const list = {
    type: '',
    status: '',
    q: '',
    from_date: '',
    to_date: '',
    limit: 200,
    offset: 0,
    format: 'json',
  } as const
  const books = { limit: 50, offset: 0, from: '', to: '', format: 'json' } as const
  const quarter = { period: 'T1', year: 2026 } as const
  type Call = (userId: number) => Promise<unknown>
  const context = (userId: number) => ({ actor: testActor({ userId }), requestId: 'bench' })
  const { call } = service
  const calls: Record<string, Call> = {
    'list of entries': (userId) => call.listEntries(request(list) as never, context(userId)),
    'list of one type': (userId) => call.listEntries(request({ ...list, type: 'expense' }) as never, context(userId)),
    'list of the quarter': (userId) =>
      call.listEntries(request({ ...list, from_date: '2026-01-01', to_date: '2026-03-31' }) as never, context(userId)),
    'list of odd days': (userId) =>
      call.listEntries(request({ ...list, from_date: '2026-01-10', to_date: '2026-03-20' }) as never, context(userId)),
    'list from its end': (userId) =>
      call.listEntries(
        request({ ...list, offset: userId === 921 ? entries - 200 : quarterEntries - 200 }) as never,
        context(userId),
      ),
    'search for one client': (userId) =>
      call.listEntries(request({ ...list, q: 'xilofono' }) as never, context(userId)),
    journal: (userId) => call.journal(request(books) as never, context(userId)),
    'trial balance': (userId) => call.trialBalance(request({ from: '', to: '', as_of: '' }) as never, context(userId)),
    'insights of the quarter': (userId) => call.insights(request(quarter) as never, context(userId)),
    'year over year': (userId) => call.insightsYoy(request(quarter) as never, context(userId)),
    'model 303 of the quarter': (userId) =>
      call.taxModel({ ...request({ ...quarter, box: '' }), params: { model: '303' } } as never, context(userId)),
  }
  const rows: LedgerBenchRow[] = []
  for (const [name, run] of Object.entries(calls)) {
    const small: number[] = []
    const large: number[] = []
    for (let round = 0; round < 15; round += 1) {
      small.push(await timed(() => run(920)))
      large.push(await timed(() => run(921)))
    }
    const growth = lowerQuartile(large) / lowerQuartile(small)
    rows.push(
      row(`${name}: ${entries} entries over ${quarterEntries}`, growth, '×', { text: '≤ 3', reached: growth <= 3 }),
      row(`${name}: large account`, median(large), 'ms'),
    )
  }
  return rows
}

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'asiento-bench-'))
  const postgres = await startEmbeddedPostgres({ directory, disposable: true })
  process.env.TEST_POSTGRES_URL = postgres.url
  try {
    console.table(await benchLedger({ entries: Number(process.argv[2] ?? 1_000_000) }))
  } finally {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename) await main()
