import { createTestDatabase } from '@asiento/chassis/testing/database'
import { testActor } from '@asiento/chassis/testing/service'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ledger as definition } from '../../src/service.ts'
import { type LedgerUnderTest, startLedger } from './ledger-test.ts'

let ledger: LedgerUnderTest
beforeAll(async () => {
  ledger = await startLedger('2026-01-01T10:00:00Z')
})
afterAll(() => ledger.stop())

/** The books as a naive model has them: a list of entries, and what each of them means for each account. */
interface ModelEntry {
  id: number
  type: 'income' | 'expense'
  date: string
  baseCents: number
  taxCents: number
  irpfCents: number
  paidAt: string | null
}

type Balances = Record<string, number>

function modelBalances(entries: readonly ModelEntry[], to: string): Balances {
  const balances: Balances = {}
  const add = (account: string, cents: number) => {
    balances[account] = (balances[account] ?? 0) + cents
  }
  for (const entry of entries) {
    const sign = entry.type === 'income' ? 1 : -1
    const total = entry.baseCents + entry.taxCents + entry.irpfCents
    const [owed, result, tax, withheld] =
      entry.type === 'income' ? ['430', '705', '477', '473'] : ['400', '629', '472', '4751']
    if (entry.date <= to) {
      add(owed, sign * total)
      add(result, -sign * entry.baseCents)
      add(tax, -sign * entry.taxCents)
      add(withheld, -sign * entry.irpfCents)
    }
    if (entry.paidAt !== null && entry.paidAt <= to) {
      add('572', sign * total)
      add(owed, -sign * total)
    }
  }
  return Object.fromEntries(Object.entries(balances).filter(([, cents]) => cents !== 0))
}

const date = fc
  .integer({ min: 0, max: 500 })
  .map((days) => new Date(Date.UTC(2025, 0, 1 + days)).toISOString().slice(0, 10))
const amounts = {
  base: fc.integer({ min: 1000, max: 5_000_000 }).map((cents) => cents / 100),
  tax_rate: fc.constantFrom(0, 4, 10, 21),
}
const operation = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    type: fc.constantFrom('income' as const, 'expense' as const),
    date,
    ...amounts,
    irpf_rate: fc.constantFrom(undefined, 7, 15),
    paid: fc.option(date, { nil: null }),
  }),
  fc.record({ do: fc.constant('edit' as const), which: fc.nat(), date, ...amounts }),
  fc.record({ do: fc.constant('settle' as const), which: fc.nat(), date }),
  fc.record({ do: fc.constant('reopen' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('delete' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('match' as const), which: fc.nat(), days: fc.integer({ min: -10, max: 10 }) }),
)

const cents = (euros: number) => Math.round(euros * 100)
const shifted = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

type Operation = typeof operation extends fc.Arbitrary<infer O> ? O : never
type Actor = ReturnType<typeof testActor>

async function perform(actor: Actor, model: ModelEntry[], step: Operation): Promise<ModelEntry[]> {
  const modelOf = async (id: number): Promise<ModelEntry> => {
    const view = await ledger.call('getEntry', { params: { entry_id: id } }, actor)
    return {
      id,
      type: view.type,
      date: view.date,
      baseCents: cents(view.base),
      taxCents: cents(view.tax_amount),
      irpfCents: cents(view.irpf_amount),
      paidAt: view.paid_at,
    }
  }
  if (step.do === 'create') {
    const { type, date: day, base, tax_rate, irpf_rate, paid } = step
    const status = paid === null ? {} : { status: type === 'income' ? 'collected' : 'paid', paid_at: paid }
    const body = { type, date: day, concept: 'x', base, tax_rate, irpf_rate, ...status }
    const made = await ledger.call('createEntry', { body }, actor)
    expect(cents(made.base) + cents(made.tax_amount) + cents(made.irpf_amount)).toBe(cents(made.total))
    return [...model, await modelOf(made.id)]
  }
  const chosen = model[step.which % Math.max(1, model.length)]
  if (chosen === undefined) return model
  const others = model.filter((entry) => entry !== chosen)
  const params = { entry_id: chosen.id }
  if (step.do === 'delete') {
    await ledger.call('deleteEntry', { params }, actor)
    return others
  }
  if (step.do === 'edit') {
    await ledger.call(
      'updateEntry',
      { params, body: { date: step.date, base: step.base, tax_rate: step.tax_rate } },
      actor,
    )
  }
  if (step.do === 'reopen') await ledger.call('updateEntry', { params, body: { status: 'pending' } }, actor)
  if (step.do === 'settle' && chosen.paidAt === null) {
    await ledger.call('confirmBankMatch', { params, body: { date: step.date } }, actor)
  }
  if (step.do === 'match') {
    const total = (chosen.baseCents + chosen.taxCents + chosen.irpfCents) / 100
    const amount = chosen.type === 'income' ? total : -total
    const day = shifted(chosen.date, step.days)
    const { matched } = await ledger.call('matchBank', { body: { movements: [{ date: day, amount }] } }, actor)
    const settled = matched.map(({ entry }) => entry.id)
    return Promise.all(model.map((entry) => (settled.includes(entry.id) ? modelOf(entry.id) : entry)))
  }
  return [...others, await modelOf(chosen.id)]
}

const balancesOf = async (actor: Actor, query: Record<string, string>): Promise<Balances> => {
  const view = await ledger.call('trialBalance', { query }, actor)
  expect(view.totals.debit).toBe(view.totals.credit)
  return Object.fromEntries(
    view.accounts.filter(({ balance }) => balance !== 0).map((row) => [row.account_code, cents(row.balance)]),
  )
}

describe('the journal after any history', () => {
  it('balances, says what a naive model says on every day, replays every past moment, and its chain is whole', async () => {
    let userId = 1000
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 14 }), async (steps) => {
        userId += 1
        const actor = testActor({ userId })
        let model: ModelEntry[] = []
        const past: { asOf: string; balances: Balances }[] = []
        for (const [index, step] of steps.entries()) {
          ledger.time.now = new Date(Date.UTC(2026, 0, 1, 10, 0, index))
          model = await perform(actor, model, step)
          past.push({
            asOf: ledger.time.now.toISOString().slice(0, 19).replace('T', ' '),
            balances: modelBalances(model, '9999-12-31'),
          })
        }
        for (const to of ['2025-01-31', '2025-03-15', '2025-06-30', '2026-02-10', '2027-01-01']) {
          expect(await balancesOf(actor, { to })).toEqual(modelBalances(model, to))
        }
        for (const moment of past) expect(await balancesOf(actor, { as_of: moment.asOf })).toEqual(moment.balances)
        expect(await ledger.call('verifyJournal', {}, actor)).toMatchObject({ valid: true })
        const list = await ledger.call('listEntries', { query: { limit: 500 } }, actor)
        expect(list).toMatchObject({ total: model.length })
        const kept = await ledger.db.pool.query(
          'select coalesce(sum(entries), 0)::int as entries from pending_months where user_id = $1',
          [userId],
        )
        expect(kept.rows[0].entries).toBe(model.filter(({ paidAt }) => paidAt === null).length)
      }),
      { numRuns: 40 },
    )
  })
})

describe('texts of every kind', () => {
  it('are stored as they are hashed, or refused', async () => {
    const actor = testActor({ userId: 901 })
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 500 }),
        fc.string({ unit: 'grapheme', maxLength: 120 }),
        async (concept, name) => {
          const body = {
            type: 'income',
            date: '2025-01-01',
            concept,
            counterparty_name: name,
            total: 10,
            status: 'collected',
          }
          const made = await ledger.call('createEntry', { body }, actor).catch((error) => error)
          if (made instanceof Error) {
            expect(made.name).toBe('ZodError')
            return
          }
          await ledger.call(
            'updateEntry',
            { params: { entry_id: made.id }, body: { concept: '😀'.repeat(500) } },
            actor,
          )
        },
      ),
      { numRuns: 60 },
    )
    for (const concept of ['a\0b', 'a\ud800b', '😀'.repeat(501)]) {
      const body = { type: 'income', date: '2025-01-01', concept, total: 10 }
      await expect(ledger.call('createEntry', { body }, actor)).rejects.toThrow()
    }
    expect(await ledger.call('verifyJournal', {}, actor)).toMatchObject({ valid: true })
  })
})

describe('a crowd that writes one account in every way at once', () => {
  it('neither deadlocks nor breaks the chain, the sums or the lists', async () => {
    const actor = testActor({ userId: 900 })
    const make = (at: number, type: 'income' | 'expense') =>
      ledger.call(
        'createEntry',
        { body: { type, date: `2025-${String(1 + (at % 12)).padStart(2, '0')}-10`, concept: 'x', total: 10 + at } },
        actor,
      )
    const made = await Promise.all(Array.from({ length: 30 }, (_, at) => make(at, at % 2 === 0 ? 'income' : 'expense')))
    const work = made.flatMap(({ id, total, type, date: day }) => {
      const params = { entry_id: id }
      const amount = type === 'income' ? total : -total
      return [
        () => ledger.call('updateEntry', { params, body: { base: 500 + id, date: '2025-06-01' } }, actor),
        () =>
          ledger.call(
            'matchBank',
            {
              body: {
                movements: [
                  { date: day, amount },
                  { date: '2025-06-01', amount: 500 + id },
                ],
              },
            },
            actor,
          ),
        () => ledger.call('confirmBankMatch', { params }, actor),
        () => (id % 3 === 0 ? ledger.call('deleteEntry', { params }, actor) : make(id, 'income')),
        () => make(id, 'expense'),
        () => ledger.call('listEntries', {}, actor),
      ]
    })
    const outcomes = await Promise.allSettled(work.map((step) => step()))
    const codes = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.code ?? String(outcome.reason)] : [],
    )
    expect(codes.filter((code) => code !== 'NOT_FOUND' && code !== 'INVALID_STATE')).toEqual([])
    expect(await ledger.call('verifyJournal', {}, actor)).toMatchObject({ valid: true })
    const list = await ledger.call('listEntries', { query: { limit: 500 } }, actor)
    if (!('items' in list)) throw new Error('no list')
    expect(list.total).toBe(list.items.length)
    const balance = await ledger.call('trialBalance', {}, actor)
    const open = list.items.filter((entry) => entry.status === 'pending')
    const owed = (type: string) =>
      open.filter((entry) => entry.type === type).reduce((sum, entry) => sum + cents(entry.total), 0)
    const of = (account: string) => cents(balance.accounts.find((row) => row.account_code === account)?.balance ?? 0)
    expect(of('430') - owed('income')).toBe(0)
    expect(of('400') + owed('expense')).toBe(0)
  })
})

describe('tampering with the journal', () => {
  it('is refused to the application, by permission, and to its owner by trigger', async () => {
    const { db, url, drop } = await createTestDatabase(definition)
    const insert = `insert into journal_transactions values (1, 1, 'accrual', '2026-01-01', 1, 'x', '0', '1', now())`
    await db.pool.query(insert)
    for (const statement of [
      `update journal_transactions set concept = 'y'`,
      'delete from journal_transactions',
      'truncate journal_transactions',
      'update journal_lines set debit_cents = 1',
      'delete from journal_lines',
      'truncate journal_lines',
    ]) {
      await expect(db.pool.query(statement)).rejects.toThrow(/permission denied/)
      await expect(ledger.db.pool.query(statement)).rejects.toThrow(/append-only/)
    }
    await expect(
      db.pool.query(
        `insert into journal_lines values (1, 1, 0, '2026-01-01', '572', 100, 0), (1, 1, 1, '2026-01-01', '430', 0, 99)`,
      ),
    ).rejects.toThrow(/must balance/)
    expect(url).toContain('postgres')
    await drop()
  })

  const tampered: [string, string, number][] = [
    ['a changed concept', `update journal_transactions set concept = 'otro' where user_id = $1 and id = 2`, 2],
    ['a changed date', `update journal_transactions set date = '2020-01-01' where user_id = $1 and id = 3`, 3],
    [
      'a changed amount',
      `update journal_lines set debit_cents = 1 where user_id = $1 and transaction_id = 4 and debit_cents > 0`,
      4,
    ],
    [
      'a changed account',
      `update journal_lines set account_code = '999' where user_id = $1 and transaction_id = 1 and position = 0`,
      1,
    ],
    ['a removed transaction', 'delete from journal_transactions where user_id = $1 and id = 3', 3],
    ['the last one removed', 'delete from journal_transactions where user_id = $1 and id = 5', 5],
    [
      'one added at the end',
      `insert into journal_transactions select user_id, 6, kind, date, entry_id, concept, hash, hash, created_at
       from journal_transactions where user_id = $1 and id = 5`,
      6,
    ],
  ]
  it.each(tampered)('is found: %s', async (_, statement, brokenId) => {
    const userId = 5000 + tampered.findIndex((row) => row[1] === statement)
    const actor = testActor({ userId })
    for (let at = 0; at < 5; at += 1) {
      await ledger.call('createEntry', { body: { type: 'income', date: '2026-01-01', concept: 'x', total: 10 } }, actor)
    }
    const client = await ledger.db.pool.connect()
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query(statement, [userId])
    await client.query('commit')
    client.release()
    expect(await ledger.call('verifyJournal', {}, actor)).toMatchObject({ valid: false, first_broken_id: brokenId })
  })
})
