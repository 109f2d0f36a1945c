import { testActor } from '@asiento/chassis/testing/service'
import { AppError, ValidationFailure } from '@asiento/proto/errors'
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
    if (error instanceof ValidationFailure) return '422'
    return error instanceof AppError ? error.code : String(error)
  }
}

describe('a proposal', () => {
  const body = {
    client: { name: 'Cliente SL', vat: 'B12345674', email: 'a@b.es' },
    title: 'Reforma de la web',
    line_items: [
      { description: 'Diseño', quantity: 10, unit_price: 50 },
      { description: 'Libro', quantity: 1, unit_price: 20, tax_rate: 4 },
    ],
    irpf_rate: 15,
    valid_until: '2026-06-15',
  }
  const patch = (actor: ReturnType<typeof testActor>, pid: number, change: Record<string, unknown>) =>
    ledger.call('updateProposal', { params: { pid }, body: change }, actor)

  it('goes from draft to sent to accepted and converts into pending income, once', async () => {
    const actor = testActor({ userId: 1 })
    const draft = await ledger.call('createProposal', { body }, actor)
    expect(draft).toMatchObject({
      number: 'P-000001',
      status: 'draft',
      base: 520,
      tax: 105.8,
      irpf_amount: -78,
      total: 547.8,
      entry_id: null,
    })
    const params = { pid: draft.id }
    expect(await codeOf(ledger.call('convertProposal', { params }, actor))).toBe('INVALID_STATE')
    expect(await codeOf(patch(actor, draft.id, { status: 'accepted' }))).toBe('INVALID_STATE')
    expect(await patch(actor, draft.id, { title: 'Otra', status: 'sent' })).toMatchObject({
      title: 'Otra',
      status: 'sent',
      total: 547.8,
    })
    expect(await codeOf(patch(actor, draft.id, { title: 'Más cara' }))).toBe('INVALID_STATE')
    await patch(actor, draft.id, { status: 'accepted' })
    const results = await Promise.all(
      Array.from({ length: 50 }, () => codeOf(ledger.call('convertProposal', { params }, actor))),
    )
    expect(results.filter((result) => result === 'none')).toHaveLength(1)
    const list = await ledger.call('listEntries', {}, actor)
    if (!('items' in list)) throw new Error('no list')
    expect(list.items).toHaveLength(1)
    expect(list.items[0]).toMatchObject({
      type: 'income',
      status: 'pending',
      source: 'proposal',
      total: 547.8,
      tax_rate: null,
    })
    expect(list.items[0]?.tax_breakdown).toHaveLength(2)
    const { items } = await ledger.call('listProposals', { query: { status: 'converted' } }, actor)
    expect(items[0]).toMatchObject({ entry_id: list.items[0]?.id, status: 'converted' })
    expect(await codeOf(patch(actor, draft.id, { status: 'converted' }))).toBe('none')
    expect(await codeOf(patch(actor, draft.id, { status: 'draft' }))).toBe('INVALID_STATE')
  })

  it('expires after its last day', async () => {
    const actor = testActor({ userId: 2 })
    const { id } = await ledger.call(
      'createProposal',
      { body: { ...body, status: 'sent', valid_until: '2026-05-14' } },
      actor,
    )
    expect(await codeOf(patch(actor, id, { status: 'accepted' }))).toBe('INVALID_STATE')
    expect((await ledger.call('listProposals', {}, actor)).items[0]).toMatchObject({ status: 'expired' })
  })

  it('is its owner’s, and its sums must agree with its lines', async () => {
    const actor = testActor({ userId: 3 })
    const { id } = await ledger.call('createProposal', { body }, actor)
    const params = { pid: id }
    const stranger = testActor({ userId: 4 })
    expect(await codeOf(ledger.call('deleteProposal', { params }, stranger))).toBe('ACCESS_DENIED')
    expect(await codeOf(ledger.call('convertProposal', { params }, stranger))).toBe('ACCESS_DENIED')
    expect(await codeOf(ledger.call('createProposal', { body: { ...body, total: 1 } }, actor))).toBe('422')
    await ledger.call('deleteProposal', { params }, actor)
    expect(await codeOf(ledger.call('deleteProposal', { params }, actor))).toBe('NOT_FOUND')
  })

  it('numbers do not repeat when many are written at once', async () => {
    const actor = testActor({ userId: 5 })
    const made = await Promise.all(Array.from({ length: 30 }, () => ledger.call('createProposal', { body }, actor)))
    expect(new Set(made.map(({ number }) => number)).size).toBe(30)
  })
})

describe('a tax payment', () => {
  it('is one per model, year and period, due on the statutory day unless told otherwise', async () => {
    const actor = testActor({ userId: 10 })
    const payment = { model: '303', year: 2026, period: 'T1', amount: 120.5 }
    const first = await ledger.call('upsertTaxPayment', { body: payment }, actor)
    expect(first).toMatchObject({ status: 'pending', due_date: '2026-04-20', paid_at: null })
    const second = await ledger.call('upsertTaxPayment', { body: { ...payment, amount: 130, status: 'paid' } }, actor)
    expect(second).toMatchObject({ id: first.id, amount: 130, status: 'paid', paid_at: '2026-05-15' })
    await ledger.call('upsertTaxPayment', { body: { ...payment, period: 'T2', due_date: '2026-07-01' } }, actor)
    const list = await ledger.call('listTaxPayments', { query: { year: 2026 } }, actor)
    expect(list.items.map(({ period, due_date }) => [period, due_date])).toEqual([
      ['T2', '2026-07-01'],
      ['T1', '2026-04-20'],
    ])
    await expect(ledger.call('upsertTaxPayment', { body: { ...payment, period: 'T5' } }, actor)).rejects.toThrow()
  })

  it('is one also when many write it at once', async () => {
    const actor = testActor({ userId: 11 })
    const body = { model: '130', year: 2026, period: 'T2', amount: 10 }
    const made = await Promise.all(Array.from({ length: 50 }, () => ledger.call('upsertTaxPayment', { body }, actor)))
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
  })
})

describe('the budget', () => {
  it('stands beside what the journal says', async () => {
    const actor = testActor({ userId: 20 })
    await ledger.call(
      'createEntry',
      { body: { type: 'expense', date: '2026-02-03', concept: 'Luz', base: 100, tax_rate: 21, account_code: '628' } },
      actor,
    )
    await ledger.call(
      'createEntry',
      { body: { type: 'income', date: '2026-02-03', concept: 'Venta', base: 400, tax_rate: 21, account_code: '700' } },
      actor,
    )
    const items = [
      { account_code: '628', month: 2, amount: 80 },
      { account_code: '62', amount: 200 },
      { account_code: '700', month: null, amount: 400 },
    ]
    const saved = await ledger.call('putBudget', { body: { year: 2026, items } }, actor)
    const expected = [
      { account_code: '62', month: null, amount: 200, actual: 100, deviation: -100, deviation_pct: -50 },
      { account_code: '628', month: 2, amount: 80, actual: 100, deviation: 20, deviation_pct: 25 },
      { account_code: '700', month: null, amount: 400, actual: 400, deviation: 0, deviation_pct: 0 },
    ]
    expect(saved.items).toMatchObject(expected)
    expect((await ledger.call('getBudget', {}, actor)).items).toMatchObject(expected)
    expect((await ledger.call('getBudget', { query: { year: '2025' } }, actor)).items).toEqual([])
    const twice = { year: 2026, items: [items[0], items[0]] }
    expect(await codeOf(ledger.call('putBudget', { body: twice }, actor))).toBe('422')
    expect((await ledger.call('putBudget', { body: { year: 2026, items: [] } }, actor)).items).toEqual([])
  })
})

describe('the fiscal profile', () => {
  it('is empty at first, keeps what is not named, and says whether its ids hold', async () => {
    const actor = testActor({ userId: 30 })
    expect(await ledger.call('getFiscalProfile', {}, actor)).toMatchObject({ nif: null, kind: null, nif_valid: null })
    await ledger.call('setFiscalProfile', { body: { nif: 'es 12345678-z', kind: 'autonomo', city: 'Lugo' } }, actor)
    const changed = await ledger.call(
      'setFiscalProfile',
      { body: { iban: 'ES91 2100 0418 4502 0005 1332', city: '' } },
      actor,
    )
    expect(changed).toMatchObject({
      nif: '12345678Z',
      kind: 'autonomo',
      city: null,
      iban: 'ES9121000418450200051332',
      nif_valid: true,
      iban_valid: true,
    })
    expect(await ledger.call('setFiscalProfile', { body: { nif: '12345678A' } }, actor)).toMatchObject({
      nif_valid: false,
    })
  })
})

describe('access', () => {
  const trial = testActor({
    userId: 40,
    ledger: { access: true, reason: 'trial', plan: null, trialEndsAt: '2026-05-20 10:00:00' },
  })

  it('says why, and what is at stake', async () => {
    expect(await ledger.call('ledgerAccess', {}, trial)).toEqual({
      access: true,
      reason: 'trial',
      ledger_plan: null,
      trial_ends_at: '2026-05-20 10:00:00',
      days_left: 5,
    })
    await ledger.call('createEntry', { body: { type: 'income', date: '2026-05-01', concept: 'x', total: 50 } }, trial)
    await ledger.call('createEntry', { body: { type: 'expense', date: '2026-05-01', concept: 'x', total: 20 } }, trial)
    expect(await ledger.call('ledgerExpirySummary', {}, trial)).toMatchObject({
      days_left: 5,
      entries: 2,
      attachments: 0,
      recurring: 0,
      proposals: 0,
      income_total: 50,
      expense_total: 20,
      recommended_plan: 'contab_basic',
    })
  })

  it('can be bought', async () => {
    expect(await ledger.call('subscribeLedger', { body: { plan: 'contab_pro' } }, trial)).toMatchObject({
      session_id: 'cs_1',
    })
    expect(await codeOf(ledger.call('subscribeLedger', { body: { plan: 'gold' } }, trial))).toBe('INVALID_PLAN')
    expect(await ledger.call('learnedVendors', {}, trial)).toEqual({ count: 3 })
  })
})

describe('reports', () => {
  const actor = testActor({ userId: 50 })
  beforeAll(async () => {
    const entries = [
      {
        type: 'income',
        date: '2026-04-10',
        concept: 'Proyecto',
        base: 1000,
        tax_rate: 21,
        irpf_rate: 15,
        counterparty_name: 'Uno SL',
        counterparty_vat: 'B12345674',
        invoice_number: '1',
      },
      {
        type: 'income',
        date: '2026-05-10',
        concept: 'Proyecto',
        base: 500,
        tax_rate: 21,
        counterparty_name: 'Dos SL',
        counterparty_vat: 'A58818501',
        invoice_number: '2',
        status: 'collected',
        paid_at: '2026-05-12',
      },
      {
        type: 'expense',
        date: '2026-05-02',
        concept: 'Luz',
        base: 100,
        tax_rate: 21,
        account_code: '628',
        counterparty_name: 'Luz SA',
        invoice_number: 'L-1',
      },
      {
        type: 'income',
        date: '2025-05-10',
        concept: 'Antes',
        base: 250,
        tax_rate: 21,
        invoice_number: '0',
        status: 'collected',
      },
    ]
    for (const body of entries) await ledger.call('createEntry', { body }, actor)
  })

  it('insights count net of taxes and see what is pending and overdue', async () => {
    const insights = await ledger.call('insights', { query: { period: 'T2', year: 2026 } }, actor)
    expect(insights).toMatchObject({
      from: '2026-04-01',
      to: '2026-06-30',
      summary: { income: 1500, expense: 100, result: 1400, vat_due: 294, pending_in: 1060, pending_out: 121 },
    })
    expect(insights.clients[0]).toMatchObject({
      name: 'Uno SL',
      income: 1000,
      invoices: 1,
      pending: 1060,
      overdue: 1060,
      avg_days_to_pay: null,
    })
    expect(insights.clients[1]).toMatchObject({ name: 'Dos SL', avg_days_to_pay: 2 })
    expect(insights.cash_forecast).toHaveLength(6)
    expect(insights.cash_forecast[0]).toMatchObject({ month: '2026-05', opening: 907.5 })
  })

  it('compares with the year before', async () => {
    const yoy = await ledger.call('insightsYoy', { query: { period: 'T2', year: 2026 } }, actor)
    expect(yoy).toMatchObject({
      current: { income: 1500 },
      previous: { income: 250, expense: 0 },
      change_pct: { income: 500, expense: null },
    })
    expect(yoy.by_month.map(({ month }) => month)).toEqual(['2026-04', '2026-05', '2026-06'])
  })

  it('drafts a tax model whose boxes lead to their entries', async () => {
    const draft = await ledger.call(
      'taxModel',
      { params: { model: '303' }, query: { period: 'T2', year: 2026, box: '07' } },
      actor,
    )
    const box = draft.boxes.find((each) => each.box === '07')
    expect(box).toMatchObject({ amount: 1500, entries_count: 2 })
    expect(draft.entries?.map((entry) => entry.base)).toEqual([1000, 500])
    expect(draft.result).toBe(294)
    expect(draft.due_date).toBe('2026-07-20')
    expect(
      await codeOf(ledger.call('taxModel', { params: { model: '303' }, query: { year: 2026, box: 'zz' } }, actor)),
    ).toBe('422')
    await expect(ledger.call('taxModel', { params: { model: '999' }, query: { year: 2026 } }, actor)).rejects.toThrow()
  })

  it('keeps the books of invoices, numbered through the year', async () => {
    const book = await ledger.call('vatBook', { query: { period: 'M05', year: 2026 } }, actor)
    if (!('issued' in book)) throw new Error('no book')
    expect(book.issued.map((row) => [row.order, row.invoice_number, row.base])).toEqual([[2, '2', 500]])
    expect(book.received.map((row) => [row.order, row.deductible])).toEqual([[1, 21]])
    const file = await ledger.call('vatBook', { query: { period: 'T2', year: 2026, format: 'csv' } }, actor)
    if (!('objectKey' in file)) throw new Error('no file')
    expect(
      String(await ledger.objects.get(file.objectKey))
        .trim()
        .split('\n'),
    ).toHaveLength(4)
  })
})
