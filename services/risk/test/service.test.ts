import { createHash } from 'node:crypto'
import { applyOnce, consumer } from '@asiento/chassis/consume'
import { publish } from '@asiento/chassis/outbox'
import { startTestService, type TestService, testActor } from '@asiento/chassis/testing/service'
import { type assessInput, duplicateAlertQuery } from '@asiento/proto/schemas/risk'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import type { Tables } from '../src/adapters/out/tables.ts'
import { followCorrection } from '../src/app/follow-corrections.ts'
import { risk } from '../src/service.ts'

type Assess = z.input<typeof assessInput>

let service: TestService<'risk', Tables>
let lastLog = 0

beforeAll(async () => {
  service = await startTestService(risk)
})
afterAll(() => service.stop())
beforeEach(async () => {
  await sql`truncate invoices, duplicates, vendors, learned_categories, vies_verdicts`.execute(service.db.query)
})

const scope = { userId: 1, keyId: null, subaccountId: null, sandbox: false }
const sha = (text: string) => createHash('sha256').update(text).digest('hex')
const nothing = { params: {}, query: {}, body: undefined, files: [], headers: {} }
const as = (changes = {}) => ({ actor: testActor(changes), requestId: 'test' })
const iban = 'ES9121000418450200051332'
const otherIban = 'ES7921000813610123456789'

function invoice(changes: Partial<Assess> = {}): Assess {
  lastLog += 1
  return {
    logId: lastLog,
    scope,
    fraudChecks: true,
    fileSha256: sha(String(lastLog)),
    vendorName: 'Suministros Pardo, S.L.',
    vendorVat: 'B12345674',
    invoiceNumber: 'F-2026/0015',
    invoiceDate: '2026-03-01',
    totalCents: 12100,
    iban,
    lines: [{ description: 'Tornillos y tacos', totalCents: 10000 }],
    ...changes,
  }
}

const assess = (changes: Partial<Assess> = {}) => service.call.assess(invoice(changes), as())
const duplicateOf = async (changes: Partial<Assess>) => (await assess(changes)).fraudChecks?.duplicate

describe('duplicates', () => {
  it('reports the same file as a copy of the first, and nothing for the first', async () => {
    const first = invoice({ fileSha256: sha('file') })
    expect((await service.call.assess(first, as())).fraudChecks?.duplicate).toEqual({ detected: false })
    const second = invoice({ fileSha256: sha('file'), invoiceNumber: 'unreadable', totalCents: null })
    expect((await service.call.assess(second, as())).fraudChecks?.duplicate).toEqual({
      detected: true,
      original_log_id: first.logId,
      reason: 'exact_file',
      score: 1,
    })
  })

  it.each<[string, Partial<Assess>, string | undefined]>([
    ['the same invoice as another file', {}, 'same_invoice'],
    ['another way to write the number', { invoiceNumber: 'f2026-15' }, 'same_invoice'],
    ['the total read differently', { totalCents: 12700 }, 'same_invoice'],
    ['a scan that misread one sign of the number', { invoiceNumber: 'F-2O26/0075' }, 'near_duplicate'],
    ['a scan that lost a zero', { invoiceNumber: 'F-226/0015' }, 'near_duplicate'],
    ['a scan that misread the tax id', { vendorVat: 'B12345614' }, 'same_invoice'],
    ['a scan that did not find the tax id', { vendorVat: null }, 'same_invoice'],
    ['a tax id with blanks, points and a prefix', { vendorVat: 'es-b 12.345.674' }, 'same_invoice'],
    ['a tax id in look-alike letters', { vendorVat: 'В12345674' }, 'same_invoice'],
    ['the next invoice of the same day and amount', { invoiceNumber: 'F-2026/0016' }, undefined],
    ['the same number a year later', { invoiceDate: '2027-03-01', totalCents: 500 }, undefined],
    ['a corrective invoice with the same number', { totalCents: -12100, invoiceDate: '2026-04-01' }, undefined],
    ['another vendor with the same number', { vendorVat: 'A28015865', vendorName: 'Otra Cosa, S.A.' }, undefined],
  ])('%s', async (_, changes, reason) => {
    await assess()
    expect((await duplicateOf(changes))?.reason).toBe(reason)
  })

  it('reports exactly one of many copies that arrive at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const copies = Array.from({ length: 6 }, () => invoice({ invoiceNumber: `R-${round}`, totalCents: 1000 + round }))
      const verdicts = await Promise.all(copies.map((copy) => service.call.assess(copy, as())))
      expect(verdicts.filter((verdict) => verdict.fraudChecks?.duplicate.detected === false)).toHaveLength(1)
    }
  })

  it('answers the same when the same extraction is judged again', async () => {
    const first = invoice()
    const second = invoice()
    const answers = [await service.call.assess(first, as()), await service.call.assess(second, as())]
    expect(await service.call.assess(first, as())).toEqual({ ...answers[0] })
    expect(await service.call.assess(second, as())).toEqual(answers[1])
    expect(await service.db.query.selectFrom('invoices').select('log_id').execute()).toHaveLength(2)
  })

  it('keeps accounts and subaccounts apart', async () => {
    await assess()
    expect((await duplicateOf({ scope: { ...scope, userId: 2 } }))?.detected).toBe(false)
    expect((await duplicateOf({ scope: { ...scope, subaccountId: 9 } }))?.detected).toBe(false)
    expect((await duplicateOf({}))?.detected).toBe(true)
  })

  it('leaves no trace of a sandbox', async () => {
    const sandbox = { ...scope, keyId: 3, sandbox: true }
    await assess({ scope: sandbox })
    expect((await duplicateOf({ scope: sandbox }))?.detected).toBe(false)
    const { vendors } = await service.call.listVendors(nothing, as())
    expect(vendors).toEqual([])
  })

  it('remembers below Pro too, but says nothing', async () => {
    expect((await assess({ fraudChecks: false })).fraudChecks).toBeNull()
    expect((await duplicateOf({}))?.detected).toBe(true)
  })

  it('lists the alerts that the caller sees, newest first, by state and page', async () => {
    const of = (keyId: number | null, subaccountId: number | null = null) => ({ ...scope, keyId, subaccountId })
    const twice = async (text: string, changes: Partial<Assess>) => {
      await assess({ fileSha256: sha(text), ...changes })
      const copy = invoice({ fileSha256: sha(text), ...changes })
      await service.call.assess(copy, as())
      return copy.logId
    }
    const mine = await twice('mine', { scope: of(7), invoiceNumber: 'A-1' })
    const other = await twice('other', { scope: of(8), invoiceNumber: 'A-2' })
    const company = await twice('company', { scope: of(9, 4), invoiceNumber: 'A-3' })
    await twice('foreign', { scope: { ...of(1), userId: 2 } })
    const list = async (changes: object, query: object = {}) =>
      (await service.call.listDuplicates({ ...nothing, query: duplicateAlertQuery.parse(query) }, as(changes))) as {
        items: { log_id: number }[]
        total: number
        has_more: boolean
      }
    const ids = async (changes: object, query: object = {}) =>
      (await list(changes, query)).items.map(({ log_id }) => log_id)
    expect(await ids({ via: 'jwt', keyId: null })).toEqual([company, other, mine])
    expect(await ids({ via: 'key', keyId: 7 })).toEqual([mine])
    expect(await ids({ via: 'key', keyId: 9, subaccountId: 4 })).toEqual([company])
    await service.call.confirmDuplicate({ ...nothing, params: { log_id: other } }, as({ via: 'jwt', keyId: null }))
    expect(await ids({ via: 'jwt', keyId: null }, { status: 'confirmed' })).toEqual([other])
    expect(await list({ via: 'jwt', keyId: null }, { status: 'open', limit: 1 })).toMatchObject({
      items: [
        {
          log_id: company,
          original_log_id: company - 1,
          vendor_name: 'Suministros Pardo, S.L.',
          invoice_number: 'A-3',
          invoice_date: '2026-03-01',
          total: 121,
          reason: 'exact_file',
          score: 1,
          status: 'open',
          decided_at: null,
        },
      ],
      total: 2,
      has_more: true,
    })
  })

  it('does not report a dismissed pair again, but a third copy is a new pair', async () => {
    await assess()
    const second = invoice()
    await service.call.assess(second, as())
    const params = { log_id: second.logId }
    expect(await service.call.dismissDuplicate({ ...nothing, params }, as())).toEqual({
      ...params,
      status: 'dismissed',
    })
    expect((await service.call.assess(second, as())).fraudChecks?.duplicate.detected).toBe(false)
    expect((await duplicateOf({}))?.detected).toBe(true)
    expect(await service.call.confirmDuplicate({ ...nothing, params }, as())).toEqual({
      ...params,
      status: 'confirmed',
    })
  })

  it('shows alerts only to whom they belong', async () => {
    const first = invoice({ scope: { ...scope, keyId: 5 } })
    const second = invoice({ scope: { ...scope, keyId: 5 } })
    await service.call.assess(first, as())
    await service.call.assess(second, as())
    const input = { ...nothing, params: { log_id: second.logId } }
    await expect(service.call.confirmDuplicate(input, as({ userId: 2 }))).rejects.toMatchObject({
      code: 'INVOICE_NOT_FOUND',
    })
    await expect(service.call.confirmDuplicate(input, as({ via: 'key', keyId: 6 }))).rejects.toMatchObject({
      code: 'INVOICE_NOT_FOUND',
    })
    expect(await service.call.confirmDuplicate(input, as({ via: 'key', keyId: 5 }))).toMatchObject({
      status: 'confirmed',
    })
    const original = { ...nothing, params: { log_id: first.logId } }
    await expect(service.call.dismissDuplicate(original, as())).rejects.toMatchObject({ code: 'INVALID_STATE' })
  })

  it('forgets an invoice that was erased, and the vendor account that it alone brought', async () => {
    const first = invoice()
    await service.call.assess(first, as())
    await service.db.transaction((tx) =>
      publish(tx, 'extraction.erased', { key: '1', payload: { logId: first.logId, scope } }),
    )
    await vi.waitFor(
      async () => {
        expect(await service.db.query.selectFrom('invoices').selectAll().execute()).toEqual([])
      },
      { timeout: 20_000 },
    )
    expect((await service.call.listVendors(nothing, as())).vendors).toEqual([])
    expect((await duplicateOf({}))?.detected).toBe(false)
  })

  it('compares with what the user corrected, once however often the correction comes', async () => {
    const first = invoice({ invoiceNumber: 'MISREAD' })
    await service.call.assess(first, as())
    const correction = consumer<Tables, 'extraction.corrected'>({
      event: 'extraction.corrected',
      group: 'test',
      handle: (tx, event) => followCorrection(tx, event.payload),
    })
    const event = {
      id: '7b0f0a57-5a54-4b5e-9d53-0b6d3f2a1c11',
      name: 'extraction.corrected' as const,
      key: '1',
      occurredAt: '2026-03-01T00:00:00.000Z',
      payload: {
        logId: first.logId,
        scope,
        fields: { invoice_number: 'F-2026/0015', accounting: { account_code: '622' } },
      },
    }
    await applyOnce(service.db, correction, event)
    await applyOnce(service.db, correction, event)
    const second = await assess()
    expect(second.fraudChecks?.duplicate).toMatchObject({ reason: 'same_invoice', original_log_id: first.logId })
    expect(second.accounting).toMatchObject({ account_code: '622', method: 'aprendida', confidence: 'alta' })
  })
})

describe('vendors and their bank accounts', () => {
  const ibanCheck = async (changes: Partial<Assess>) => (await assess(changes)).fraudChecks?.iban_check

  it('trusts the first IBAN, reports a different one and never replaces it by itself', async () => {
    expect(await ibanCheck({})).toEqual({ detected: false, reason: 'first_seen', trusted_iban: iban })
    expect(await ibanCheck({})).toEqual({ detected: false, reason: null, trusted_iban: iban })
    const changed = { detected: true, reason: 'changed', trusted_iban: iban }
    expect(await ibanCheck({ iban: otherIban })).toEqual(changed)
    expect(await ibanCheck({ iban: otherIban })).toEqual(changed)
    const input = {
      ...nothing,
      params: { vendor_vat: 'es%20b-12345674' },
      body: { iban: 'es79 2100 0813 6101 2345 6789' },
    }
    expect(await service.call.setVendorIban(input, as())).toMatchObject({
      vendor_vat: 'B12345674',
      trusted_iban: otherIban,
      source: 'set',
    })
    expect((await ibanCheck({ iban: otherIban }))?.detected).toBe(false)
    expect((await ibanCheck({}))?.detected).toBe(true)
  })

  it.each([
    ['no IBAN', null, { detected: false, reason: null, trusted_iban: null }],
    ['an empty one', '  ', { detected: false, reason: null, trusted_iban: null }],
    ['wrong check digits', 'ES9221000418450200051332', { detected: true, reason: 'invalid', trusted_iban: null }],
    [
      'lower case and blanks',
      'es91 2100 0418 4502 0005 1332',
      { detected: false, reason: 'first_seen', trusted_iban: iban },
    ],
  ])('answers for %s', async (_, printed, expected) => {
    expect(await ibanCheck({ iban: printed })).toEqual(expected)
  })

  it('warns when two vendors share a bank account', async () => {
    expect((await assess()).warnings).toEqual([])
    const other = await assess({ vendorVat: 'A28015865', vendorName: 'Otra, S.A.', invoiceNumber: '9' })
    expect(other.warnings).toMatchObject([{ code: 'iban_shared', field: 'iban' }])
  })

  it('lets exactly one of two first IBANs win', async () => {
    const both = await Promise.all([assess({ invoiceNumber: 'a' }), assess({ invoiceNumber: 'b', iban: otherIban })])
    expect(both.filter((answer) => answer.fraudChecks?.iban_check.detected)).toHaveLength(1)
  })

  it.each([
    ['no tax id', { vendor_vat: '----' }, { iban }],
    ['a wrong IBAN', { vendor_vat: 'B12345674' }, { iban: 'ES00' }],
  ])('refuses %s', async (_, params, body) => {
    await expect(service.call.setVendorIban({ ...nothing, params, body }, as())).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
  })

  it('trusts an IBAN that is written with blanks and small letters', async () => {
    const params = { vendor_vat: ' es-b 12.345.674 ' }
    const body = { iban: 'es91 2100 0418 4502 0005 1332' }
    const set = await service.call.setVendorIban({ ...nothing, params, body }, as())
    expect(set).toMatchObject({ vendor_vat: 'B12345674', trusted_iban: iban })
  })

  it('lists each company its own vendors', async () => {
    await assess()
    await assess({ scope: { ...scope, keyId: 8, subaccountId: 4 }, vendorVat: 'A28015865' })
    const own = await service.call.listVendors(nothing, as())
    expect(own.vendors.map((vendor) => vendor.vendor_vat)).toEqual(['B12345674'])
    const client = await service.call.listVendors(nothing, as({ via: 'key', keyId: 8, subaccountId: 4 }))
    expect(client.vendors.map((vendor) => vendor.vendor_vat)).toEqual(['A28015865'])
    expect(await service.call.learnedVendors(scope, as())).toEqual({ count: 1 })
  })
})

describe('tax ids without a registry', () => {
  it.each([
    ['B12345674', { valid: true, status: 'format_valid', source: 'checksum' }],
    ['B12345678', { valid: false, status: 'invalid', source: 'checksum' }],
    ['DE136695976', { valid: true, status: 'format_valid', source: 'checksum' }],
    ['DE136695977', { valid: false, status: 'invalid', source: 'checksum' }],
    [null, { valid: false, status: 'missing' }],
    ['   ', { valid: false, status: 'missing' }],
  ])('%s', async (vendorVat, expected) => {
    expect((await assess({ vendorVat })).fraudChecks?.vat_verification).toEqual(expected)
  })
})

describe('accounts', () => {
  const categorize = (body: object, actor = {}) => service.call.categorize({ ...nothing, body }, as(actor))

  it('answers every field for a purchase, and for nothing at all', async () => {
    expect(
      await categorize({ vendor_name: 'Iberdrola Clientes', line_items: [{ description: 'Energía consumida' }] }),
    ).toMatchObject({
      account_code: '628',
      account_label: 'Suministros',
      type: 'gasto',
      type_label: 'Gasto',
      confidence: 'alta',
      method: 'regla',
    })
    const unknown = await categorize({})
    expect(unknown.confidence).toBe('baja')
    expect(unknown.suggestions).toHaveLength(3)
  })

  it('tells an investment from an expense by its amount', async () => {
    const laptop = { vendor_name: 'PcComponentes', line_items: [{ description: 'Portátil HP 15' }] }
    expect(await categorize({ ...laptop, total: 899 })).toMatchObject({ account_code: '217', type: 'inversion' })
    expect(await categorize({ ...laptop, total: 120 })).toMatchObject({ account_code: '629', type: 'gasto' })
  })

  it('takes ten small things for ten expenses, not for an investment', async () => {
    const chairs = (quantity?: number) => ({
      vendor_name: 'Mobiliario Castro',
      line_items: [{ description: 'Silla de oficina ergonómica', total: 1200, quantity }],
    })
    expect(await categorize(chairs())).toMatchObject({ account_code: '216' })
    expect(await categorize(chairs(10))).toMatchObject({ account_code: '629' })
  })

  it('learns what an account teaches, for itself alone', async () => {
    const input = { ...nothing, params: { vendor_vat: 'b-12345674' }, body: { account_code: '602' } }
    expect(await service.call.teachCategory(input, as())).toMatchObject({ account_code: '602', method: 'aprendida' })
    expect(await categorize({ vendor_vat: 'ES B12345674' })).toMatchObject({ account_code: '602', method: 'aprendida' })
    expect((await categorize({ vendor_vat: 'B12345674' }, { userId: 2 })).method).toBe('regla')
    expect((await categorize({ vendor_vat: 'B12345674' }, { subaccountId: 3, via: 'key' })).method).toBe('regla')
    const wrong = { ...input, body: { account_code: '999' } }
    await expect(service.call.teachCategory(wrong, as())).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('reads ten thousand lines, empty ones and strange signs', async () => {
    const line_items = Array.from({ length: 10_000 }, (_, index) => ({
      description: index % 3 === 0 ? '' : `Сafé \u202e ${index} 電気 energía consumida ${'x'.repeat(index % 50)}`,
      total: index,
    }))
    const started = performance.now()
    expect(await categorize({ vendor_name: '\u0000\uffff', line_items, total: 1e300 })).toMatchObject({
      account_code: '628',
    })
    expect(performance.now() - started).toBeLessThan(3_000)
  })

  it('reads an invoice that the account itself issued as income', async () => {
    const own = await assess({ ownTaxIds: ['ES-B12345674'] })
    expect(own.accounting).toMatchObject({ type: 'ingreso', type_label: 'Ingreso' })
  })
})
