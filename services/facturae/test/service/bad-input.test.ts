import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixture } from '../certificates/fixtures.ts'
import { withLegacyMac, withPbmac1 } from '../certificates/resealed.ts'
import { codeOf, invoice, type Kit, startKit } from './kit.ts'

let kit: Kit
let xml: string
let signed: string
let foreignCertificate: string
beforeAll(async () => {
  kit = await startKit()
  xml = (await kit.convert(invoice)).xml
  signed = (await kit.sign(xml, withP12('natural.p12'))).xml
  const stranger = kit.context({ userId: 2 })
  foreignCertificate = (await kit.addCertificate(fixture('natural.p12'), 'facturae', stranger)).certificate_id
})
afterAll(() => kit.service.stop())

const withP12 = (file: string | Buffer, password = 'facturae') => ({
  'x-p12-b64': (typeof file === 'string' ? fixture(file) : file).toString('base64'),
  'x-p12-password': password,
})
const megabytes = (count: number): number => count * 1024 ** 2
const hostile = {
  pbmac1: withPbmac1(fixture('natural.p12'), 'facturae', 1, 100_000_000),
  legacy: withLegacyMac(fixture('natural.p12'), 100_000_000),
}

/** Everything that a call could leave behind. */
async function traces() {
  const { query } = kit.service.db
  const rows = async (table: 'custody' | 'certificates' | 'outbox') =>
    (await query.selectFrom(table).select('id').execute()).length
  return {
    credits: kit.state.credits,
    reservations: [...kit.reservations.values()].filter((state) => state === 'reserved').length,
    logs: kit.logs.size,
    custody: await rows('custody'),
    certificates: await rows('certificates'),
    events: await rows('outbox'),
  }
}

async function leavesNothing(call: () => Promise<unknown>, code: string): Promise<void> {
  const before = await traces()
  expect(await codeOf(call())).toBe(code)
  expect(await traces()).toEqual(before)
}

const bomb = (text: string): string => {
  const entities = Array.from({ length: 12 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`)
  const doctype = `<!DOCTYPE fe:Facturae [<!ENTITY e0 "aaaaaaaaaa">${entities.join('')}]>`
  return text.replace('<fe:Facturae', `${doctype}<fe:Facturae`).replace('Servicio', '&e12;')
}

describe('nothing is charged and nothing kept when what is to be signed', () => {
  it.each<[string, () => string, string]>([
    ['has a DOCTYPE', () => xml.replace('<fe:Facturae', '<!DOCTYPE a><fe:Facturae'), 'INVALID_INPUT'],
    [
      'names a file as an entity',
      () =>
        xml
          .replace('<fe:Facturae', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><fe:Facturae')
          .replace('Servicio', '&x;'),
      'INVALID_INPUT',
    ],
    ['is an entity bomb', () => bomb(xml), 'INVALID_INPUT'],
    ['is 30 MB of other XML', () => `<a>${'<b>text</b>'.repeat(megabytes(30) / 11)}</a>`, 'INVALID_INPUT'],
    ['is 30 MB of elements in each other', () => '<a>'.repeat(megabytes(30) / 3), 'INVALID_INPUT'],
    [
      'is larger than 32 MB',
      () => xml.replace('<Parties>', `${' '.repeat(megabytes(33))}<Parties>`),
      'PAYLOAD_TOO_LARGE',
    ],
    ['is signed already', () => signed, 'INVALID_INPUT'],
    ['was signed and then changed', () => signed.replace('Servicio', 'Servicia'), 'INVALID_INPUT'],
    [
      'is an invoice in UBL',
      () => '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>',
      'INVALID_INPUT',
    ],
    ['is a text', () => 'hello', 'INVALID_INPUT'],
    ['is empty', () => '', 'INVALID_INPUT'],
  ])('%s', (_name, text, code) => leavesNothing(() => kit.sign(text(), withP12('natural.p12')), code))

  it('has a carriage return in a field', async () => {
    const line = { ...invoice.line_items[0], description: 'Servicio\rmensual' }
    await leavesNothing(() => kit.convert({ ...invoice, line_items: [line] }, withP12('natural.p12')), 'INVALID_INPUT')
  })
})

describe('nothing is charged and nothing kept when the certificate of a call', () => {
  const cases: [string, () => Record<string, string>, string][] = [
    ['is another account’s', () => ({ 'x-certificate-id': foreignCertificate }), 'CERT_NOT_FOUND'],
    ['has expired', () => withP12('expired.p12'), 'XML_SIGN_FAILED'],
    ['is not valid yet', () => withP12('future.p12'), 'XML_SIGN_FAILED'],
    ['is not meant for signatures', () => withP12('encipher.p12'), 'XML_SIGN_FAILED'],
    ['has a key of 1024 bits', () => withP12('weak.p12'), 'XML_SIGN_FAILED'],
    ['comes with a wrong password', () => withP12('natural.p12', 'wrong'), 'XML_SIGN_FAILED'],
    ['wants a hundred million iterations (PBMAC1)', () => withP12(hostile.pbmac1), 'XML_SIGN_FAILED'],
    ['wants a hundred million iterations (RFC 7292)', () => withP12(hostile.legacy), 'XML_SIGN_FAILED'],
    ['has 5 MB and a byte', () => withP12(Buffer.alloc(megabytes(5) + 1, 0x30)), 'XML_SIGN_FAILED'],
    ['is a PEM', () => withP12('root.pem'), 'XML_SIGN_FAILED'],
  ]
  it.each(cases)('%s: POST /sign', (_name, headers, code) => leavesNothing(() => kit.sign(xml, headers()), code))

  it.each(cases)('%s: POST /convert', (_name, headers, code) =>
    leavesNothing(() => kit.convert(invoice, headers()), code),
  )
})

describe('nothing is kept when a certificate is uploaded that', () => {
  it.each<[string, () => Buffer, string, string]>([
    ['has another password', () => fixture('natural.p12'), 'wrong', 'CERT_INVALID_PASSWORD'],
    ['wants a hundred million iterations (PBMAC1)', () => hostile.pbmac1, 'facturae', 'CERT_INVALID_FORMAT'],
    ['wants a hundred million iterations (RFC 7292)', () => hostile.legacy, 'facturae', 'CERT_INVALID_FORMAT'],
    ['has 5 MB and a byte', () => Buffer.alloc(megabytes(5) + 1, 0x30), '', 'CERT_INVALID_FORMAT'],
    ['is a PEM called .p12', () => fixture('root.pem'), '', 'CERT_INVALID_FORMAT'],
    ['holds no key', () => fixture('no-key.p12'), 'facturae', 'CERT_INVALID_FORMAT'],
  ])('%s', async (_name, file, password, code) => {
    await leavesNothing(() => kit.addCertificate(file(), password), code)
    await leavesNothing(() => kit.savePersonal(file(), password), code)
  })
})
