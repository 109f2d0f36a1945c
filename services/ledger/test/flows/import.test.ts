import { publish } from '@asiento/chassis/outbox'
import { testActor } from '@asiento/chassis/testing/service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LedgerUnderTest, startLedger, until } from './ledger-test.ts'

let ledger: LedgerUnderTest
beforeAll(async () => {
  ledger = await startLedger()
  ledger.neighbours.logs = [
    { logId: 1, createdAt: '2026-05-01 09:00:00', result: invoice(121) },
    { logId: 2, createdAt: '2026-05-02 09:00:00', result: '{"broken": ' },
    { logId: 3, createdAt: '2026-05-03 09:00:00', result: { ...invoice(0), subtotal: 0, tax: 0 } },
    {
      logId: 4,
      createdAt: '2026-05-04 09:00:00',
      result: { ...invoice(242), subtotal: 200, tax: 42, vendor_vat: 'ES12345678Z' },
    },
    { logId: 5, createdAt: '2026-05-05 09:00:00', result: { document_type: 'delivery_note', total: 10 } },
    { logId: 6, createdAt: '2026-05-05 09:00:00', result: { total: 1e14, invoice_date: '0000-01-01' } },
    ...Array.from({ length: 600 }, (_, at) => ({
      logId: 100 + at,
      createdAt: '2026-05-06 09:00:00',
      result: { ...invoice(121), invoice_number: `L-${at}` },
    })),
  ]
})
afterAll(() => ledger.stop())

const invoice = (total: number) => ({
  vendor_name: 'Proveedor SA',
  vendor_vat: 'A58818501',
  buyer_name: 'Cliente SL',
  buyer_vat: 'B12345674',
  invoice_number: 'F-1',
  invoice_date: '2026-04-20',
  due_date: '2026-05-20',
  subtotal: 100,
  tax: 21,
  total,
  document_type: 'invoice',
  declared_tax_rate: 21,
})

const count = async (id: 'pendingImport', actor: ReturnType<typeof testActor>) =>
  (await ledger.call(id, {}, actor)).count

describe('importing extractions', () => {
  it('adds what the count promised, once, and the count is 0 afterwards', async () => {
    const actor = testActor({ userId: 1 })
    await ledger.call('setFiscalProfile', { body: { legal_name: 'Yo', nif: '12345678z' } }, actor)
    expect(await count('pendingImport', actor)).toBe(602)
    const result = await ledger.call('importEntries', {}, actor)
    expect(result).toMatchObject({ imported: 602, skipped: 4 })
    expect(await count('pendingImport', actor)).toBe(0)
    expect(await ledger.call('importEntries', {}, actor)).toMatchObject({ imported: 0, skipped: 606, entries: [] })
    const byLog = new Map(result.entries.map((entry) => [entry.log_id, entry]))
    expect(byLog.get(1)).toMatchObject({
      type: 'expense',
      source: 'extraction',
      status: 'pending',
      due_date: '2026-05-20',
      counterparty_vat: 'A58818501',
    })
    expect(byLog.get(4)).toMatchObject({ type: 'income', counterparty_name: 'Cliente SL', total: 242 })
  })

  it('adds each log once when two hundred import at once', async () => {
    const actor = testActor({ userId: 2 })
    const results = await Promise.all(Array.from({ length: 200 }, () => ledger.call('importEntries', {}, actor)))
    expect(results.reduce((sum, { imported }) => sum + imported, 0)).toBe(602)
    expect(await ledger.call('listEntries', { query: { limit: 1 } }, actor)).toMatchObject({ total: 602 })
    expect(await ledger.call('verifyJournal', {}, actor)).toMatchObject({ valid: true, checked: 602 })
  })

  it('does not bring back what its owner deleted', async () => {
    const actor = testActor({ userId: 3 })
    const { entries } = await ledger.call('importEntries', {}, actor)
    await ledger.call('deleteEntry', { params: { entry_id: entries[0]?.id } }, actor)
    expect(await count('pendingImport', actor)).toBe(0)
    expect(await ledger.call('importEntries', {}, actor)).toMatchObject({ imported: 0 })
  })
})

describe('importing by itself', () => {
  const announce = (userId: number, logId: number, scope: Record<string, unknown> = {}) =>
    ledger.db.transaction((tx) =>
      publish(tx, 'invoice.extracted', {
        key: String(userId),
        payload: {
          logId,
          scope: { userId, keyId: null, subaccountId: null, sandbox: false, ...scope },
          source: 'extract',
          externalRef: null,
          filename: 'f.pdf',
          vendorName: null,
          vendorVat: null,
          invoiceNumber: null,
          totalCents: 12_100,
          confidence: 1,
          accountCode: null,
          duplicate: null,
        },
      }),
    )

  it('happens for accounts that asked for it, once per log, and for no others', async () => {
    const willing = testActor({ userId: 10 })
    const unwilling = testActor({ userId: 11 })
    expect(await ledger.call('setAutoImport', { body: { auto_import: true } }, willing)).toEqual({
      auto_import: true,
      import_popup_shown: true,
    })
    await announce(11, 1)
    await announce(10, 1, { sandbox: true })
    await announce(10, 4, { subaccountId: 5 })
    await announce(10, 2)
    await announce(10, 1)
    await announce(10, 1)
    await announce(10, 100)
    await until(async () => (await ledger.call('verifyJournal', {}, willing)).checked === 2)
    const list = await ledger.call('listEntries', {}, willing)
    expect('items' in list && list.items.map((entry) => entry.log_id).sort()).toEqual([1, 100])
    expect(await ledger.call('listEntries', {}, unwilling)).toMatchObject({ total: 0 })
    const { imported } = await ledger.call('importEntries', {}, willing)
    expect(imported).toBe(600)
  })
})
