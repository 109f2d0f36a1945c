import { testActor } from '@asiento/chassis/testing/service'
import { AppError } from '@asiento/proto/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueInvoices } from '../../src/app/issue-invoices.ts'
import type { Ledger } from '../../src/app/ledger.ts'
import { runRecurring } from '../../src/app/run-recurring.ts'
import { type LedgerUnderTest, startLedger, until } from './ledger-test.ts'

let ledger: LedgerUnderTest
beforeAll(async () => {
  ledger = await startLedger('2026-05-15T10:00:00Z')
})
afterAll(() => ledger.stop())

const deps = (): Ledger => ({ ...ledger.shared, db: ledger.db as Ledger['db'] })
const entriesOf = async (actor: ReturnType<typeof testActor>) => {
  const list = await ledger.call('listEntries', { query: { limit: 500 } }, actor)
  if (!('items' in list)) throw new Error('no list')
  return list.items
}

describe('recurring entries', () => {
  it('appear by themselves when due, caught up after downtime, once each', async () => {
    const actor = testActor({ userId: 1 })
    const created = await ledger.call(
      'createRecurring',
      {
        body: {
          type: 'expense',
          concept: 'Alquiler',
          base: 500,
          tax_rate: 21,
          irpf_rate: 19,
          account_code: '621',
          frequency: 'monthly',
          start_date: '2026-01-31',
        },
      },
      actor,
    )
    expect(created).toMatchObject({
      next_date: '2026-01-31',
      active: true,
      total: 510,
      account_label: 'Arrendamientos y cánones',
    })
    await until(async () => (await entriesOf(actor)).length === 4)
    expect((await entriesOf(actor)).map(({ date, status, source, total }) => [date, status, source, total])).toEqual([
      ['2026-04-30', 'pending', 'recurring', 510],
      ['2026-03-31', 'pending', 'recurring', 510],
      ['2026-02-28', 'pending', 'recurring', 510],
      ['2026-01-31', 'pending', 'recurring', 510],
    ])
    const { items } = await ledger.call('listRecurring', {}, actor)
    expect(items[0]).toMatchObject({ id: created.id, next_date: '2026-05-31' })
  })

  it('make no double when two hundred runs meet, and keep the journal whole', async () => {
    const actor = testActor({ userId: 2 })
    const body = {
      type: 'income',
      concept: 'Cuota',
      total: 30,
      frequency: 'weekly',
      start_date: '2025-01-06',
      end_date: '2026-05-11',
    }
    await ledger.call('createRecurring', { body }, actor)
    await Promise.all(Array.from({ length: 200 }, () => runRecurring(deps())))
    const dates = (await entriesOf(actor)).map(({ date }) => date)
    expect(dates).toHaveLength(71)
    expect(new Set(dates).size).toBe(71)
    expect(await ledger.call('verifyJournal', {}, actor)).toMatchObject({ valid: true, checked: 71 })
    const { items } = await ledger.call('listRecurring', {}, actor)
    expect(items[0]).toMatchObject({ active: false, next_date: null })
  })

  it('do not make a deleted entry again, and stop when they are deleted', async () => {
    const actor = testActor({ userId: 3 })
    const body = { type: 'income', concept: 'Cuota', total: 30, frequency: 'yearly', start_date: '2026-01-01' }
    const { id } = await ledger.call('createRecurring', { body }, actor)
    await runRecurring(deps())
    const [made] = await entriesOf(actor)
    await ledger.call('deleteEntry', { params: { entry_id: made?.id } }, actor)
    await runRecurring(deps())
    expect(await entriesOf(actor)).toEqual([])
    await expect(
      ledger.call('deleteRecurring', { params: { rid: id } }, testActor({ userId: 4 })),
    ).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await ledger.call('deleteRecurring', { params: { rid: id } }, actor)
    await expect(ledger.call('deleteRecurring', { params: { rid: id } }, actor)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('refuse an end before the start', async () => {
    const body = {
      type: 'income',
      concept: 'x',
      total: 30,
      frequency: 'weekly',
      start_date: '2026-02-01',
      end_date: '2026-01-01',
    }
    await expect(ledger.call('createRecurring', { body })).rejects.toThrow(/end/i)
  })
})

describe('recurring invoices', () => {
  const profile = {
    legal_name: 'Ana Pérez',
    nif: '12345678Z',
    address: 'C/ Mayor 1',
    city: 'Madrid',
    postal_code: '28001',
  }
  const invoice = {
    buyer: { name: 'Cliente SL', vat: 'B12345674', city: 'Madrid' },
    line_items: [{ description: 'Mantenimiento', quantity: 2, unit_price: 50, tax_rate: 21 }],
    series: 'a',
    frequency: 'monthly',
    start_date: '2026-03-31',
    irpf_rate: 15,
  }

  it('are numbered without gaps within a series, whoever runs, and recorded with their Facturae', async () => {
    const actor = testActor({ userId: 10 })
    await ledger.call('setFiscalProfile', { body: profile }, actor)
    for (let item = 0; item < 5; item += 1) await ledger.call('createRecurringInvoice', { body: invoice }, actor)
    await Promise.all(Array.from({ length: 40 }, () => runRecurring(deps())))
    const entries = await entriesOf(actor)
    expect(entries.map((entry) => entry.invoice_number).sort()).toEqual(
      Array.from({ length: 10 }, (_, at) => `A-${String(at + 1).padStart(6, '0')}`),
    )
    expect(entries[0]).toMatchObject({
      source: 'recurring_invoice',
      status: 'pending',
      total: 106,
      counterparty_vat: 'B12345674',
    })

    await Promise.all(Array.from({ length: 5 }, () => issueInvoices(deps())))
    const issued = ledger.neighbours.issued.filter(({ invoice: built }) => built.vendor_vat === '12345678Z')
    expect(new Set(issued.map(({ issueId }) => issueId)).size).toBe(10)
    expect(issued[0]?.invoice).toMatchObject({
      vendor_name: 'Ana Pérez',
      buyer_name: 'Cliente SL',
      subtotal: 100,
      tax: 21,
      irpf_amount: -15,
      total: 106,
      line_items: [{ description: 'Mantenimiento', quantity: 2, unit_price: 50, total: 100, tax_rate: 21 }],
    })
    await until(async () =>
      (await ledger.call('listRecurringInvoices', {}, actor)).items.every(
        (item) => item.last_invoice?.status === 'issued',
      ),
    )
    const file = await ledger.call('getEntryFacturae', { params: { entry_id: entries[0]?.id } }, actor)
    expect(String(await ledger.objects.get(file.objectKey))).toContain(entries[0]?.invoice_number)
  })

  it('give no number away when recording fails', async () => {
    const actor = testActor({ userId: 11 })
    await ledger.call('setFiscalProfile', { body: profile }, actor)
    await ledger.call('createRecurringInvoice', { body: { ...invoice, series: 'B' } }, actor)
    await ledger.db.pool.query(`
      create function fail_once() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$;
      create trigger fail_once before insert on issued_invoices for each row when (new.series = 'B') execute function fail_once()`)
    await runRecurring(deps())
    expect(await entriesOf(actor)).toEqual([])
    await ledger.db.pool.query('drop trigger fail_once on issued_invoices')
    await runRecurring(deps())
    expect((await entriesOf(actor)).map((entry) => entry.invoice_number).sort()).toEqual(['B-000001', 'B-000002'])
  })

  it('say why their XML cannot be built, and are tried again', async () => {
    const actor = testActor({ userId: 12 })
    await ledger.call('createRecurringInvoice', { body: { ...invoice, series: 'C', frequency: 'yearly' } }, actor)
    await runRecurring(deps())
    await issueInvoices(deps())
    const summary = async () => (await ledger.call('listRecurringInvoices', {}, actor)).items[0]
    await until(async () => (await summary())?.last_invoice?.error != null)
    expect(await summary()).toMatchObject({
      issued: 1,
      last_invoice: { invoice_number: 'C-000001', status: 'pending' },
    })
    expect((await summary())?.last_invoice?.error).toContain('perfil fiscal')
    await ledger.call('setFiscalProfile', { body: profile }, actor)
    ledger.time.now = new Date('2026-05-15T12:00:00Z')
    await issueInvoices(deps())
    await until(async () => (await summary())?.last_invoice?.status === 'issued')
    ledger.time.now = new Date('2026-05-15T10:00:00Z')
  })

  it('refuse a total that their lines do not add up to', async () => {
    const failure = await ledger
      .call('createRecurringInvoice', { body: { ...invoice, total: 1 } })
      .catch((error) => error)
    expect(failure).not.toBeInstanceOf(AppError)
    expect(failure.issues[0].loc).toEqual(['body', 'total'])
  })
})
