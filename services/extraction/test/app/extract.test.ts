import { randomUUID } from 'node:crypto'
import { PDFDocument } from 'pdf-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { releaseStaleWork } from '../../src/app/reservations.ts'
import { openLog } from '../../src/app/work-log.ts'
import { announced, by, codeOf, depsOf, invoicePdf, nothing, startWorld, textPdf, type World } from './kit.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const logs = (workId: string) =>
  world.service.db.query.selectFrom('logs').selectAll().where('work_id', '=', workId).execute()
const pipeline = new URL('../../src/pipeline/worker.ts', import.meta.url)

describe('extracting a document', () => {
  test('reads it, judges it, charges one credit, and announces it', async () => {
    const actor = await world.account()
    const workId = randomUUID()
    const result = await world.extract(actor, await invoicePdf(), { externalRef: 'pedido-7', workId })
    expect(result).toMatchObject({
      vendor_name: 'Talleres Aneto, S.L.',
      vendor_vat: 'B12345674',
      buyer_vat: 'A58818501',
      invoice_number: 'F-2026/0107',
      invoice_date: '2026-03-12',
      due_date: '2026-04-11',
      subtotal: 200,
      tax: 42,
      total: 242,
      external_ref: 'pedido-7',
      filename: 'factura.pdf',
      engine: 'text',
      accounting: { account_code: expect.stringMatching(/^\d{3,}$/) },
      fraud_checks: { duplicate: { detected: false } },
    })
    expect(result.field_evidence.total).toMatchObject({ page: 1, text: expect.stringContaining('242,00') })
    await expect.poll(() => world.quota(actor)).toBe(1)
    expect(await announced(world, String(result._log_id))).toEqual(['invoice.extracted'])
    expect(await announced(world, `extraction:${workId}`)).toEqual(['credits.settled'])
    expect((await world.item(actor, result._log_id)).document_available).toBe(true)
  })

  test('gives the same answer for the same bytes, and says that they were there before', async () => {
    const actor = await world.account()
    const bytes = await invoicePdf({ number: 'F-2026/0200' })
    const { processing_ms: _a, _log_id: first, fraud_checks: _b, ...one } = await world.extract(actor, bytes)
    const { processing_ms: _c, _log_id: _d, fraud_checks: again, ...two } = await world.extract(actor, bytes)
    expect(two).toEqual(one)
    expect(again?.duplicate).toMatchObject({ detected: true, original_log_id: first, reason: 'exact_file' })
  })

  test('makes one log, one charge and one event of work that is asked for twice', async () => {
    const actor = await world.account()
    const workId = randomUUID()
    const bytes = await invoicePdf({ number: 'F-2026/0300' })
    const first = await world.extract(actor, bytes, { workId })
    const second = await world.extract(actor, bytes, { workId })
    expect(second).toEqual(first)
    expect(await logs(workId)).toHaveLength(1)
    await expect.poll(() => world.quota(actor)).toBe(1)
    expect(await announced(world, String(first._log_id))).toEqual(['invoice.extracted'])
  })

  test('goes on with work whose holder died before it was done', async () => {
    const actor = await world.account()
    const workId = randomUUID()
    const bytes = await invoicePdf({ number: 'F-2026/0301' })
    const upload = await world.upload(bytes)
    const deps = depsOf(world, { module: pipeline })
    const scope = { userId: actor.userId, keyId: null, subaccountId: null, sandbox: false }
    const opened = await openLog(deps, { workId, scope, source: 'extract', upload, externalRef: null })
    const reservation = { reservationId: `extraction:${workId}`, credits: 1, scope }
    await world.identity.call.reserveCredits(reservation, by(actor))
    const result = await world.extract(actor, bytes, { workId })
    expect(result._log_id).toBe(opened.id)
    await expect.poll(() => world.quota(actor)).toBe(1)
  })

  test('releases work that nobody takes over: a failed log, the credit given back', async () => {
    const actor = await world.account()
    const workId = randomUUID()
    const upload = await world.upload(await invoicePdf())
    const scope = { userId: actor.userId, keyId: null, subaccountId: null, sandbox: false }
    await openLog(depsOf(world, { module: pipeline }), {
      workId,
      scope,
      source: 'extract',
      upload,
      externalRef: null,
    })
    const reservationId = `extraction:${workId}`
    await world.identity.call.reserveCredits({ reservationId, credits: 1, scope }, by(actor))
    const state = () => world.service.call.reservationState({ reservationId }, by(actor))
    expect(await state()).toEqual({ state: 'working' })
    expect(await world.quota(actor)).toBe(1)
    const later = { now: () => new Date(world.clock.now().getTime() + 16 * 60_000) }
    await releaseStaleWork({ db: world.service.db, objects: world.service.objects, clock: later })
    expect(await logs(workId)).toMatchObject([{ status: 'error', error_code: 'EXTRACTION_FAILED' }])
    expect(await state()).toEqual({ state: 'gone' })
    await expect.poll(() => world.quota(actor)).toBe(0)
  })

  test.each<[string, Uint8Array, string, string]>([
    ['a text file', Buffer.from('hello'), 'factura.pdf', 'FILE_CONTENT_MISMATCH'],
    ['a type that is not taken', Buffer.from('GIF89a'), 'factura.gif', 'FILE_TYPE_INVALID'],
    ['nothing at all', Buffer.alloc(0), 'factura.pdf', 'INVALID_INPUT'],
  ])('refuses %s at the door without a log', async (_what, bytes, filename, code) => {
    const actor = await world.account()
    expect(await codeOf(world.extract(actor, bytes, { filename }))).toBe(code)
    expect((await world.history(actor)).total).toBe(0)
    expect(await world.quota(actor)).toBe(0)
  })

  test('keeps a failed log of a file that was opened and could not be read, and gives the credit back', async () => {
    const actor = await world.account()
    const whole = await invoicePdf()
    const truncated = whole.slice(0, whole.length >> 1)
    expect(await codeOf(world.extract(actor, truncated))).toBe('FILE_TYPE_INVALID')
    expect((await world.history(actor)).items).toMatchObject([{ status: 'error', error_code: 'FILE_TYPE_INVALID' }])
    await expect.poll(() => world.quota(actor)).toBe(0)
  })

  test('costs nothing where no invoice is found', async () => {
    const actor = await world.account()
    const result = await world.extract(actor, await textPdf(['Lista de la compra', 'pan y vino']))
    expect(result.confidence_score).toBeLessThanOrEqual(0.2)
    expect(result.warnings.map(({ code }) => code)).toContain('no_invoice_found')
    await expect.poll(() => world.quota(actor)).toBe(0)
    expect(await announced(world, String(result._log_id))).toEqual([])
  })

  test('stops at the quota without a log', async () => {
    const actor = await world.account({ plan: 'free' })
    for (const number of ['A-1', 'A-2']) await world.extract(actor, await invoicePdf({ number }))
    expect(await codeOf(world.extract(actor, await invoicePdf({ number: 'A-3' })))).toBe('QUOTA_EXCEEDED')
    expect((await world.history(actor)).total).toBe(2)
  })

  test('tells vendor from buyer by the account’s own tax id', async () => {
    const actor = await world.account()
    await world.ledger.call.setFiscalProfile(
      { ...nothing, body: { legal_name: 'Talleres Aneto, S.L.', nif: 'B12345674' } as never },
      by(actor),
    )
    const result = await world.extract(actor, await invoicePdf({ number: 'V-1' }))
    expect(result).toMatchObject({ vendor_vat: 'B12345674', accounting: { type: 'ingreso' } })
  })

  test('does not wait for a ledger that is away', async () => {
    const actor = await world.account()
    const { getFiscalProfile } = world.rpc.ledger
    world.rpc.ledger.getFiscalProfile = () => Promise.reject(new Error('away'))
    try {
      expect(await world.extract(actor, await invoicePdf({ number: 'W-1' }))).toMatchObject({ total: 242 })
    } finally {
      world.rpc.ledger.getFiscalProfile = getFiscalProfile
    }
  })
})

const cii = `<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocument><ram:ID>F-2026/0107</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime><udt:DateTimeString format="102">20260312</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
<ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>Talleres Aneto, S.L.</ram:Name><ram:PostalTradeAddress><ram:PostcodeCode>22001</ram:PostcodeCode><ram:LineOne>C/ Mayor, 12</ram:LineOne><ram:CityName>Huesca</ram:CityName><ram:CountryID>ES</ram:CountryID></ram:PostalTradeAddress><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">ESB12345674</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name>Ferretería Osca, S.A.</ram:Name><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">ESA58818501</ram:ID></ram:SpecifiedTaxRegistration></ram:BuyerTradeParty></ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode><ram:ApplicableTradeTax><ram:CalculatedAmount>42.00</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode><ram:BasisAmount>200.00</ram:BasisAmount><ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>21</ram:RateApplicablePercent></ram:ApplicableTradeTax><ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime><udt:DateTimeString format="102">20260411</udt:DateTimeString></ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms><ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:LineTotalAmount>200.00</ram:LineTotalAmount><ram:TaxBasisTotalAmount>200.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount>42.00</ram:TaxTotalAmount><ram:GrandTotalAmount>242.00</ram:GrandTotalAmount><ram:DuePayableAmount>242.00</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>
</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`

const withXml = async (pdf: Uint8Array): Promise<Uint8Array> => {
  const document = await PDFDocument.load(pdf)
  await document.attach(Buffer.from(cii), 'factur-x.xml', { mimeType: 'text/xml' })
  return document.save()
}

describe('structured invoices', () => {
  test('are taken exactly from the XML inside a PDF', async () => {
    const actor = await world.account()
    const result = await world.extract(actor, await withXml(await invoicePdf()))
    expect(result).toMatchObject({ confidence_score: 1, total: 242, vendor_vat: 'B12345674', warnings: [] })
  })

  test('warn where the page shows something else than the XML', async () => {
    const actor = await world.account()
    const result = await world.extract(actor, await withXml(await invoicePdf({ base: 300 })))
    expect(result.total).toBe(242)
    expect(result.warnings).toContainEqual(
      expect.objectContaining({ code: 'embedded_xml_differs', field: 'total', message: expect.stringMatching('363') }),
    )
  })

  test('are read from bare XML, charged and announced like documents', async () => {
    const actor = await world.account()
    const upload = { ...(await world.upload(Buffer.from(cii), 'factura.xml')), contentType: 'application/xml' }
    const result = await world.service.call.importXml({ ...nothing, files: [upload] }, by(actor))
    expect(result).toMatchObject({ confidence_score: 1, total: 242, invoice_number: 'F-2026/0107' })
    await expect.poll(() => world.quota(actor)).toBe(1)
    expect((await world.history(actor)).items).toMatchObject([{ source: 'import', status: 'ok' }])
  })

  test('are refused without a log when the XML is no invoice', async () => {
    const actor = await world.account()
    const upload = await world.upload(Buffer.from('<html/>'), 'x.xml')
    expect(await codeOf(world.service.call.importXml({ ...nothing, files: [upload] }, by(actor)))).toBe('INVALID_INPUT')
    expect((await world.history(actor)).total).toBe(0)
  })
})
