import { testActor } from '@asiento/chassis/testing/service'
import { AppError } from '@asiento/proto/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LedgerUnderTest, startLedger } from './ledger-test.ts'

let ledger: LedgerUnderTest
beforeAll(async () => {
  ledger = await startLedger()
})
afterAll(() => ledger.stop())

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'none'
  } catch (error) {
    return error instanceof AppError ? error.code : String(error)
  }
}

let nextUser = 100
const newActor = () => {
  nextUser += 1
  return testActor({ userId: nextUser })
}
type Actor = ReturnType<typeof newActor>

const entry = (actor: Actor, change: Record<string, unknown>) =>
  ledger.call(
    'createEntry',
    { body: { type: 'income', date: '2026-05-01', concept: 'x', total: 100, ...change } },
    actor,
  )
const match = (actor: Actor, movements: Record<string, unknown>[]) =>
  ledger.call('matchBank', { body: { movements } }, actor)

describe('matching a bank statement', () => {
  it('settles the only candidate on the day of the movement and posts it', async () => {
    const actor = newActor()
    const { id } = await entry(actor, {})
    const result = await match(actor, [{ id: 'm1', date: '2026-05-11', amount: 100.01, description: 'TRANSF' }])
    expect(result.summary).toEqual({ matched: 1, suggestions: 0, unmatched: 0 })
    expect(result.matched[0]).toMatchObject({
      movement: { id: 'm1', amount: 100.01 },
      entry: { id, status: 'collected', paid_at: '2026-05-11' },
    })
    const balance = await ledger.call('trialBalance', {}, actor)
    expect(balance.accounts.find((row) => row.account_code === '572')?.balance).toBe(100)
    expect(balance.accounts.find((row) => row.account_code === '430')?.balance).toBe(0)
    expect(await ledger.call('verifyJournal', {}, actor)).toMatchObject({ valid: true, checked: 2 })
  })

  const cases: [string, Record<string, unknown>[], Record<string, unknown>, [number, number, number]][] = [
    ['two candidates are suggested', [{}, {}], { amount: 100 }, [0, 1, 0]],
    ['two cents off is none', [{}], { amount: 100.02 }, [0, 0, 1]],
    ['eleven days off is none', [{}], { amount: 100, date: '2026-05-12' }, [0, 0, 1]],
    ['ten days before is one', [{}], { amount: 100, date: '2026-04-21' }, [1, 0, 0]],
    ['the due date counts too', [{ due_date: '2026-06-30' }], { amount: 100, date: '2026-07-10' }, [1, 0, 0]],
    ['money out does not look at income', [{}], { amount: -100 }, [0, 0, 1]],
    ['money out looks at expense', [{ type: 'expense' }], { amount: -100 }, [1, 0, 0]],
    ['a settled entry is no candidate', [{ status: 'collected' }], { amount: 100 }, [0, 0, 1]],
  ]
  it.each(cases)('%s', async (_, entries, movement, [matched, suggestions, unmatched]) => {
    const actor = newActor()
    for (const change of entries) await entry(actor, change)
    const before = await ledger.call('journal', {}, actor)
    const { summary } = await match(actor, [{ date: '2026-05-05', ...movement }])
    expect(summary).toEqual({ matched, suggestions, unmatched })
    const after = await ledger.call('journal', {}, actor)
    if (!('total' in before && 'total' in after)) throw new Error('no list')
    expect(after.total - before.total).toBe(matched)
  })

  it('suggestions are whole entries, the one that the description names first, and nothing changes', async () => {
    const actor = newActor()
    await entry(actor, { counterparty_name: 'Talleres Ruiz SL' })
    const named = await entry(actor, { counterparty_name: 'Panadería Sol SL' })
    const { suggestions } = await match(actor, [
      { date: '2026-05-05', amount: 100, description: 'TRANSFERENCIA DE PANADERIA SOL' },
    ])
    expect(suggestions[0]?.candidates.map((candidate) => candidate.status)).toEqual(['pending', 'pending'])
    expect(suggestions[0]?.candidates[0]?.id).toBe(named.id)
  })

  it('never settles one entry twice, however many requests arrive at once', async () => {
    const actor = newActor()
    for (let at = 0; at < 40; at += 1) await entry(actor, { total: 100 + at * 10 })
    const movements = Array.from({ length: 40 }, (_, at) => ({ date: '2026-05-02', amount: 100 + at * 10 }))
    const results = await Promise.all(Array.from({ length: 20 }, () => match(actor, movements)))
    const settled = results.flatMap((result) => result.matched.map((pair) => pair.entry.id))
    expect(settled).toHaveLength(40)
    expect(new Set(settled).size).toBe(40)
    expect(await ledger.call('journal', {}, actor)).toMatchObject({ total: 80 })
    expect(await ledger.call('verifyJournal', {}, actor)).toMatchObject({ valid: true })
  })

  it('leaves the entries of other accounts alone', async () => {
    const owner = newActor()
    await entry(owner, { total: 77 })
    expect((await match(newActor(), [{ date: '2026-05-01', amount: 77 }])).summary.matched).toBe(0)
  })

  it('shows the best candidates only where a whole statement has many', async () => {
    const actor = newActor()
    for (let at = 0; at < 12; at += 1) await entry(actor, {})
    const movements = Array.from({ length: 9000 }, () => ({ date: '2026-05-01', amount: 100 }))
    const { suggestions, summary } = await match(actor, movements)
    expect(summary).toEqual({ matched: 0, suggestions: 9000, unmatched: 0 })
    expect(suggestions[0]).toMatchObject({ more: true })
    expect(suggestions.every(({ candidates }) => candidates.length === 3)).toBe(true)
  })

  it('answers an empty statement', async () => {
    expect((await match(newActor(), [])).summary).toEqual({ matched: 0, suggestions: 0, unmatched: 0 })
  })
})

describe('an imported statement', () => {
  const csv = [
    'Fecha;Concepto;Importe;Saldo',
    '02/05/2026;TRANSFERENCIA DE CLIENTE;100,00;1.100,00',
    '03/05/2026;RECIBO LUZ;-60,50;1.039,50',
  ].join('\n')
  const upload = async (content: string) => {
    const objectKey = `uploads/statement-${Math.random().toString(36).slice(2)}`
    const stored = await ledger.objects.put(objectKey, Buffer.from(content))
    return [
      {
        field: 'file',
        objectKey,
        sha256: stored.sha256,
        sizeBytes: stored.sizeBytes,
        filename: 'm.csv',
        contentType: 'text/csv',
      },
    ]
  }

  it('has each movement once, however often and in whatever file it comes', async () => {
    const actor = newActor()
    const first = await ledger.call('importStatement', { files: await upload(csv) }, actor)
    expect(first).toMatchObject({ format: 'csv', errors: [], duplicates: [] })
    expect(first.movements.map(({ date, amount }) => [date, amount])).toEqual([
      ['2026-05-02', 100],
      ['2026-05-03', -60.5],
    ])
    const longer = `${csv}\n04/05/2026;COMISION;-3,00;1.036,50`
    const second = await ledger.call('importStatement', { files: await upload(longer) }, actor)
    expect(second.movements.map(({ amount }) => amount)).toEqual([-3])
    expect(second.duplicates.map(({ id }) => id)).toEqual(first.movements.map(({ id }) => id))
    const other = await ledger.call('importStatement', { files: await upload(csv) }, newActor())
    expect(other.movements).toHaveLength(2)
  })

  it('settles one entry per movement, also when the statement is matched again', async () => {
    const actor = newActor()
    const { movements } = await ledger.call('importStatement', { files: await upload(csv) }, actor)
    const chosen = await entry(actor, { date: '2026-05-02' })
    const sent = movements.map(({ id, date, amount, description }) => ({ id, date, amount, description }))
    expect((await match(actor, sent)).summary).toEqual({ matched: 1, suggestions: 0, unmatched: 1 })
    const twin = await entry(actor, { date: '2026-05-02' })
    const again = await match(actor, sent)
    expect(again.matched.map((pair) => pair.entry.id)).toEqual([chosen.id])
    expect(await ledger.call('getEntry', { params: { entry_id: twin.id } }, actor)).toMatchObject({ status: 'pending' })
    const confirm = ledger.call(
      'confirmBankMatch',
      { params: { entry_id: twin.id }, body: { movement_id: sent[0]?.id } },
      actor,
    )
    expect(await codeOf(confirm)).toBe('INVALID_STATE')
  })

  it('becomes an entry of its own where none matched, and settles no other then', async () => {
    const actor = newActor()
    const { movements } = await ledger.call('importStatement', { files: await upload(csv) }, actor)
    const bill = movements[1]
    const made = await entry(actor, {
      type: 'expense',
      date: bill?.date,
      total: 60.5,
      status: 'paid',
      movement_id: bill?.id,
    })
    expect(made).toMatchObject({ source: 'bank', status: 'paid' })
    await entry(actor, { type: 'expense', date: bill?.date, total: 60.5 })
    const again = await match(actor, [{ id: bill?.id, date: bill?.date, amount: -60.5 }])
    expect(again.matched.map((pair) => pair.entry.id)).toEqual([made.id])
  })

  it('asks for the columns that it does not understand, and remembers them', async () => {
    const actor = newActor()
    const strange = 'aaa|bbb|ccc\n2026-05-02|algo|10.50\n2026-05-03|otro|-4.00'
    const asked = await ledger.call('importStatement', { files: await upload(strange) }, actor)
    if (asked.mapping_request === null) throw new Error('it asked for nothing')
    const { layout_key } = asked.mapping_request
    await ledger.call(
      'setStatementMapping',
      { body: { layout_key, mapping: { date: 0, description: [1], amount: 2 } } },
      actor,
    )
    const read = await ledger.call('importStatement', { files: await upload(strange) }, actor)
    expect(read.movements.map(({ amount }) => amount)).toEqual([10.5, -4])
  })

  it('is refused when it is no statement', async () => {
    expect(await codeOf(ledger.call('importStatement', { files: await upload('%PDF-1.4') }, newActor()))).toBe(
      'FILE_TYPE_INVALID',
    )
  })
})

describe('confirming a match', () => {
  it('settles on the given day, then refuses a second time', async () => {
    const actor = newActor()
    const { id } = await entry(actor, { type: 'expense' })
    const params = { entry_id: id }
    expect(
      await ledger.call('confirmBankMatch', { params, body: { date: '2026-05-09', movement_id: 7 } }, actor),
    ).toMatchObject({
      status: 'paid',
      paid_at: '2026-05-09',
    })
    expect(await codeOf(ledger.call('confirmBankMatch', { params }, actor))).toBe('INVALID_STATE')
  })
})
