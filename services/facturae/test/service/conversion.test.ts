import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixture } from '../certificates/fixtures.ts'
import { codeOf, invoice, type Kit, startKit } from './kit.ts'

let kit: Kit
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit.service.stop())

const p12 = (name = 'natural.p12') => fixture(name).toString('base64')

describe('POST /convert', () => {
  it('answers XML, its base64, a summary and no signature when no certificate comes along', async () => {
    const answer = await kit.convert(invoice)
    expect(answer).toMatchObject({
      signed: false,
      source: 'json',
      filename: 'facturae_F_2026-1.xml',
      warnings: [],
      meta: { version: '3.2.2', standard: 'Facturae', signature: null },
      invoice: {
        vendor_name: 'Empresa de Pruebas SL',
        subtotal: 100,
        tax: 21,
        total: 121,
        accounting: { account_code: '629' },
      },
    })
    expect(answer.xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<fe:Facturae ')).toBe(true)
    expect(Buffer.from(answer.xml_base64, 'base64').toString()).toBe(answer.xml)
    expect(answer).not.toHaveProperty('log_id')
    expect(await kit.validate(answer.xml)).toMatchObject({ valid: true, schema_errors: [], signature: null })
  })

  it('signs with the .p12 of the call, keeps the XML and says where', async () => {
    const headers = { 'x-p12-b64': p12(), 'x-p12-password': 'facturae', 'x-external-ref': 'ERP-1' }
    const answer = await kit.convert(invoice, headers)
    expect(answer).toMatchObject({ signed: true, meta: { signature: 'XAdES-BES' } })
    expect(await kit.validate(answer.xml)).toMatchObject({
      valid: true,
      signature: { valid: true, level: 'XAdES-EPES' },
    })
    const logId = answer.log_id ?? 0
    const record = (await kit.custody()).find((row) => row.log_id === logId)
    expect(record).toMatchObject({ source: 'convert', external_ref: 'ERP-1', invoice_number: 'F/2026-1' })
    expect(await kit.text(record?.object_key ?? '')).toBe(answer.xml)
    expect(await kit.events('invoice.signed')).toContainEqual(
      expect.objectContaining({ logId, externalRef: 'ERP-1', storageFileId: record?.storage_file_id }),
    )
    expect(kit.state.credits).toBe(10)
  })

  it('reads a document first and says how sure it is', async () => {
    kit.state.extraction = {
      ...invoice,
      tax_breakdown: [],
      confidence_score: 0.97,
      warnings: [],
      _log_id: 7,
      accounting: null,
    }
    const files = [await kit.upload(Buffer.from('%PDF-'))]
    const answer = await kit.service.call.convert({ ...kit.none, query: { ext: 'xml' }, files }, kit.context())
    expect(answer).toMatchObject({ source: 'pdf', confidence: 0.97, log_id: 7 })
  })

  it('spends no credit on a document when the certificate of the call may not sign', async () => {
    const files = [await kit.upload(Buffer.from('%PDF-'))]
    const headers = { 'x-p12-b64': p12('expired.p12'), 'x-p12-password': 'facturae' }
    kit.state.extraction = null
    const call = kit.service.call.convert({ ...kit.none, query: { ext: 'xml' }, files, headers }, kit.context())
    expect(await codeOf(call)).toBe('XML_SIGN_FAILED')
  })

  it.each([
    ['a wrong password', { 'x-p12-b64': p12(), 'x-p12-password': 'wrong' }],
    ['no .p12', { 'x-p12-b64': 'aGVsbG8=', 'x-p12-password': '' }],
    ['no base64', { 'x-p12-b64': '%%%' }],
    ['an expired certificate', { 'x-p12-b64': p12('expired.p12'), 'x-p12-password': 'facturae' }],
    ['a certificate of the future', { 'x-p12-b64': p12('future.p12'), 'x-p12-password': 'facturae' }],
    ['no key', { 'x-p12-b64': p12('no-key.p12'), 'x-p12-password': 'facturae' }],
  ])('is XML_SIGN_FAILED with %s, and keeps nothing', async (_name, headers) => {
    const before = (await kit.custody()).length
    expect(await codeOf(kit.convert(invoice, headers))).toBe('XML_SIGN_FAILED')
    expect((await kit.custody()).length).toBe(before)
  })

  it('answers 422 for a rate that was not in force and INVALID_INPUT for sums that do not add up', async () => {
    const line = { ...invoice.line_items[0], tax_rate: 18 }
    expect(await codeOf(kit.convert({ ...invoice, line_items: [line], total: 118 }))).toBe('422')
    expect(await codeOf(kit.convert({ ...invoice, total: 130 }))).toBe('INVALID_INPUT')
  })
})

describe('POST /convert-to-facturae', () => {
  it('lets seller_info and buyer_info win', async () => {
    const answer = await kit.toFacturae({
      invoice_data: { ...invoice, vendor_name: null, vendor_vat: null },
      seller_info: { name: 'Otra SL', vat: 'B12345674', zip: '08001' },
    })
    expect(answer).toMatchObject({ version: '3.2.2', signed: false, filename: 'facturae_F_2026-1.xml' })
    expect(answer.xml).toContain('<CorporateName>Otra SL</CorporateName>')
  })

  it('names what is missing', async () => {
    expect(await codeOf(kit.toFacturae({ invoice_data: {} }))).toBe('INVALID_INPUT')
  })

  it('files the signed XML under the log of the extraction when it is the caller’s, else under a new one', async () => {
    const body = { invoice_data: { ...invoice, _log_id: 7 }, sign: true, p12_b64: p12(), p12_password: 'facturae' }
    expect((await kit.toFacturae(body)).log_id).toBe(7)
    expect((await kit.toFacturae({ ...body, invoice_data: { ...invoice, _log_id: 999 } })).log_id).toBeGreaterThan(99)
  })

  it('takes the password of the header over that of the body', async () => {
    const body = { invoice_data: invoice, sign: true, p12_b64: p12(), p12_password: 'wrong' }
    const answer = await kit.toFacturae(body, kit.context(), { 'x-p12-password': 'facturae' })
    expect(answer.signed).toBe(true)
  })

  it('needs a certificate from somewhere to sign', async () => {
    expect(await codeOf(kit.toFacturae({ invoice_data: invoice, sign: true }))).toBe('INVALID_INPUT')
    const unknown = { invoice_data: invoice, sign: true, certificate_id: 'cert_unknown' }
    expect(await codeOf(kit.toFacturae(unknown))).toBe('CERT_NOT_FOUND')
  })

  it('keeps one work once, however often it is repeated', async () => {
    const who = kit.context()
    const body = { invoice_data: invoice, sign: true, p12_b64: p12(), p12_password: 'facturae' }
    const before = (await kit.events('invoice.signed')).length
    const first = await kit.toFacturae(body, who)
    const second = await kit.toFacturae(body, who)
    expect(second.xml).toBe(first.xml)
    expect((await kit.events('invoice.signed')).length).toBe(before + 1)
  })

  it('keeps each of many that come at the same time, under its own log, with one event', async () => {
    const body = (number: number) => ({
      invoice_data: { ...invoice, invoice_number: `S-${number}` },
      sign: true,
      p12_b64: p12(),
      p12_password: 'facturae',
    })
    const again = kit.context()
    const numbers = Array.from({ length: 12 }, (_, index) => index)
    const calls = numbers.map((number) => kit.toFacturae(body(number)))
    const twice = await Promise.all([kit.toFacturae(body(99), again), kit.toFacturae(body(99), again)])
    const answers = [...(await Promise.all(calls)), twice[0]]
    expect(twice[1]).toMatchObject({ xml: twice[0].xml, log_id: twice[0].log_id })
    const logs = answers.map(({ log_id: logId }) => logId)
    const events = await kit.events('invoice.signed')
    const kept = (await kit.custody()).filter(({ log_id: logId }) => logs.includes(logId))
    expect(kept).toHaveLength(13)
    for (const { xml, log_id: logId } of answers) {
      const record = kept.find((row) => row.log_id === logId)
      expect(xml).toContain(`<InvoiceNumber>${record?.invoice_number}</InvoiceNumber>`)
      expect(await kit.text(record?.object_key ?? '')).toBe(xml)
      const about = events.filter((event) => event.storageFileId === record?.storage_file_id)
      expect(about).toEqual([expect.objectContaining({ logId, invoiceNumber: record?.invoice_number })])
      expect(events.filter((event) => event.logId === logId)).toHaveLength(1)
    }
  })

  it('hands out the file, signed from custody and unsigned for this answer only', async () => {
    const input = { ...kit.none, query: { ext: 'xsig' as const } }
    const unsigned = await kit.service.call.downloadFacturae(
      { ...input, body: { invoice_data: invoice } as never },
      kit.context(),
    )
    expect(unsigned).toMatchObject({ filename: 'facturae_F_2026-1.xml', temporary: true, disposition: 'attachment' })
    const body = { invoice_data: invoice, sign: true, p12_b64: p12(), p12_password: 'facturae' } as never
    const signed = await kit.service.call.downloadFacturae({ ...input, body }, kit.context())
    expect(signed.filename).toBe('facturae_F_2026-1.xsig')
    expect(signed.temporary).toBeUndefined()
    expect(await kit.text(signed.objectKey)).toContain('<ds:Signature ')
  })
})

describe('POST /sign', () => {
  const headers = { 'x-p12-b64': p12(), 'x-p12-password': 'facturae', 'x-external-ref': 'S-1' }
  const xml = async () => (await kit.convert(invoice)).xml

  it('costs one credit, settled with the custody record', async () => {
    const before = kit.state.credits
    const who = kit.context()
    const answer = await kit.sign(await xml(), headers, who)
    expect(answer).toMatchObject({ signed: true, source: 'sign', filename: 'facturae_F_2026-1.xml' })
    expect(answer.warnings.map(({ code }) => code)).toEqual(['tax_id_mismatch'])
    expect(Buffer.from(answer.xml_base64, 'base64').toString()).toBe(answer.xml)
    expect(kit.state.credits).toBe(before - 1)
    expect(await kit.events('credits.settled')).toContainEqual({
      reservationId: `facturae:${who.workId}`,
      outcome: 'commit',
    })
    const state = await kit.service.call.reservationState({ reservationId: `facturae:${who.workId}` }, who)
    expect(state).toEqual({ state: 'done' })
  })

  it('signs wrong sums with a warning', async () => {
    const changed = (await xml()).replace('<InvoiceTotal>121.00', '<InvoiceTotal>122.00')
    expect((await kit.sign(changed, headers)).warnings).toContainEqual(expect.objectContaining({ rule: '6f' }))
  })

  it('signs what others made without changing it', async () => {
    const foreign = (await xml()).replace(/></g, '>\r\n  <').replace('<Parties>', '<!-- a --><Parties>')
    const answer = await kit.sign(foreign, headers)
    expect(answer.xml.replace(/<ds:Signature .*<\/ds:Signature>/s, '')).toBe(foreign)
    expect(await kit.validate(answer.xml)).toMatchObject({ signature: { valid: true } })
  })

  it.each<[string, (xml: string) => string, string]>([
    ['other XML', () => '<invoice/>', 'INVALID_INPUT'],
    ['a DOCTYPE', (text) => text.replace('<fe:', '<!DOCTYPE a><fe:'), 'INVALID_INPUT'],
    ['a schema error', (text) => text.replace('<Modality>I', '<Modality>Q'), 'INVALID_INPUT'],
    ['a text file', () => 'hello', 'INVALID_INPUT'],
  ])('refuses %s, charging and keeping nothing', async (_name, change, code) => {
    const text = change(await xml())
    const [credits, records] = [kit.state.credits, (await kit.custody()).length]
    expect(await codeOf(kit.sign(text, headers))).toBe(code)
    expect([kit.state.credits, (await kit.custody()).length]).toEqual([credits, records])
  })

  it('refuses what is signed already, intact or changed', async () => {
    const signed = (await kit.sign(await xml(), headers)).xml
    const credits = kit.state.credits
    expect(await codeOf(kit.sign(signed, headers))).toBe('INVALID_INPUT')
    expect(await codeOf(kit.sign(signed.replace('Servicio', 'Servicia'), headers))).toBe('INVALID_INPUT')
    expect(kit.state.credits).toBe(credits)
    expect(await kit.validate(signed.replace('Servicio', 'Servicia'))).toMatchObject({
      valid: false,
      signature: { present: true, valid: false },
    })
  })

  it('finds a bad certificate before a credit is spent', async () => {
    const credits = kit.state.credits
    const bad = { ...headers, 'x-p12-b64': p12('expired.p12') }
    expect(await codeOf(kit.sign(await xml(), bad))).toBe('XML_SIGN_FAILED')
    expect(await codeOf(kit.sign(await xml(), { 'x-certificate-id': 'cert_none' }))).toBe('CERT_NOT_FOUND')
    expect(kit.state.credits).toBe(credits)
  })

  it('keeps nothing when no credit is left', async () => {
    const [credits, records] = [kit.state.credits, (await kit.custody()).length]
    kit.state.credits = 0
    expect(await codeOf(kit.sign(await xml(), headers))).toBe('QUOTA_EXCEEDED')
    kit.state.credits = credits
    expect((await kit.custody()).length).toBe(records)
  })
})

describe('POST /validate', () => {
  it('explains schema errors, wrong sums and broken rules in words', async () => {
    const { xml } = await kit.convert(invoice)
    const wrong = xml
      .replace('<InvoiceTotal>121.00', '<InvoiceTotal>120.00')
      .replace('<Modality>I', '<Modality>Q')
      .replace('B12345674</TaxIdentificationNumber>', 'B12345678</TaxIdentificationNumber>')
    expect(await kit.validate(wrong)).toMatchObject({
      valid: false,
      version: '3.2.2',
      schema_errors: [{ message: "Modality 'Q' is none of the values allowed: I, L." }],
      warnings: [{ rule: '5b' }],
      signature: null,
    })
  })
})

describe('custody', () => {
  const body = { invoice_data: invoice, sign: true, p12_b64: p12(), p12_password: 'facturae' }

  it('shows a key what it signed itself, a subaccount its own, and a session everything of the account', async () => {
    const byKey = kit.context({ via: 'key', keyId: 5 })
    const { log_id: logId = 0, xml } = await kit.toFacturae(body, byKey)
    const get = (who: typeof byKey) => kit.service.call.getCustody({ ...kit.none, params: { log_id: logId } }, who)
    expect(await kit.text((await get(byKey)).objectKey)).toBe(xml)
    expect(await codeOf(get(kit.context()))).toBe('accepted')
    expect(await codeOf(get(kit.context({ via: 'key', keyId: 6 })))).toBe('INVOICE_NOT_FOUND')
    expect(await codeOf(get(kit.context({ via: 'key', keyId: 7, subaccountId: 3 })))).toBe('INVOICE_NOT_FOUND')
    expect(await codeOf(get(kit.context({ userId: 2 })))).toBe('INVOICE_NOT_FOUND')
    const held = await kit.service.call.inCustody({ logIds: [logId, 12345] }, byKey)
    expect(held).toEqual({ logIds: [logId] })
  })

  it('keeps six years', async () => {
    const [row] = await kit.custody()
    expect(Number(row?.expires_at.slice(0, 4)) - new Date().getFullYear()).toBe(6)
  })

  it('zips signed and unsigned invoices under unique names', async () => {
    const { log_id: signedLog = 0 } = await kit.toFacturae(body)
    for (const logId of [signedLog, 51, 52]) kit.extractions.set(logId, invoice)
    const answer = await kit.service.call.downloadZip(
      { ...kit.none, body: { log_ids: [signedLog, 51, 52, 51] } },
      kit.context(),
    )
    expect(answer).toMatchObject({ contentType: 'application/zip', temporary: true })
    const zip = (await kit.service.objects.get(answer.objectKey)) ?? Buffer.alloc(0)
    const directory = zip.toString('latin1').split('PK\u0001\u0002').slice(1)
    const names = directory.map((entry) => /facturae_[\w.-]+?\.xml/.exec(entry)?.[0])
    expect(names).toEqual(['facturae_F_2026-1.xml', 'facturae_F_2026-1_2.xml', 'facturae_F_2026-1_3.xml'])
  })

  it('refuses a ZIP that holds a foreign log or one that makes no Facturae, naming it', async () => {
    kit.extractions.set(61, { ...invoice, buyer_vat: null })
    const zip = (ids: number[]) => kit.service.call.downloadZip({ ...kit.none, body: { log_ids: ids } }, kit.context())
    await expect(zip([61])).rejects.toMatchObject({ code: 'INVALID_INPUT', detail: expect.stringContaining('61') })
    expect(await codeOf(zip([61, 4040]))).toBe('INVOICE_NOT_FOUND')
  })

  it('issues the ledger’s invoice once', async () => {
    await kit.savePersonal(fixture('natural.p12'))
    const command = { issueId: 'ledger:1', invoice, sign: true }
    const first = await kit.service.call.issueInvoice(command, kit.context())
    const again = await kit.service.call.issueInvoice(command, kit.context())
    expect(again).toEqual(first)
    expect(first.signed).toBe(true)
    const unsigned = await kit.service.call.issueInvoice(
      { ...command, issueId: 'ledger:2', sign: false },
      kit.context(),
    )
    expect(unsigned).toMatchObject({ signed: false, logId: null })
  })
})
