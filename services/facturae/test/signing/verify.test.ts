import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signFacturae } from '../../src/signing/sign.ts'
import { verifyFacturae } from '../../src/signing/verify.ts'
import { fixtureKey, sharedFacturae } from '../certificates/fixtures.ts'
import { judgeByXmlsec1, xmlsec1Available } from '../judges/xmlsec1.ts'
import { sampleInvoice } from './sample-invoice.ts'

const signedAt = new Date('2026-06-01T10:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'changed-'))
afterAll(() => rmSync(folder, { recursive: true }))
const changeCount = process.env.TEST_FULL ? 500 : 60
/** The full counts start a program for each file, which takes long on a busy machine. */
const patienceMs = process.env.TEST_FULL ? 1_800_000 : 300_000

let signed = ''
beforeAll(async () => {
  signed = signFacturae(sampleInvoice(), await fixtureKey(), { signedAt, id: 'fixed' }).xml
})

const codesOf = async (xml: string): Promise<string[]> => (await verifyFacturae(xml)).errors.map(({ code }) => code)

describe('checking a signature', () => {
  it('says who signed, when, and under which policy', async () => {
    expect(await verifyFacturae(signed)).toEqual({
      present: true,
      valid: true,
      level: 'XAdES-EPES',
      policy: expect.stringContaining('politica_de_firma_formato_facturae_v3_1.pdf'),
      signer: expect.stringMatching(/^CN=ESPAÑOL CORTÉS JUAN - 99999999R, /),
      signed_at: '2026-06-01T10:00:00.000Z',
      errors: [],
      warnings: [],
    })
  })

  it('says that an unsigned invoice has none', async () => {
    expect(await verifyFacturae(sampleInvoice())).toMatchObject({ present: false, valid: false, errors: [] })
  })

  it(
    `sees ${changeCount} random changes of one character in text and attribute values, as xmlsec1 does`,
    async () => {
      const random = mulberry32(2026)
      const places = changeablePlaces(signed)
      for (let i = 0; i < changeCount; i += 1) {
        const at = places[Math.floor(random() * places.length)] ?? 0
        const changed = signed.slice(0, at) + otherCharacter(signed.charAt(at), random) + signed.slice(at + 1)
        const around = changed.slice(Math.max(0, at - 30), at + 30)
        // A change of the namespace makes it no Facturae at all.
        const verdict = await verifyFacturae(changed).catch(() => ({ valid: false }))
        expect(verdict.valid, around).toBe(false)
        if (!xmlsec1Available()) continue
        const path = join(folder, 'changed.xml')
        writeFileSync(path, changed)
        expect(await judgeByXmlsec1(path), around).not.toBeNull()
      }
    },
    patienceMs,
  )

  it.each([
    ['a changed amount', (xml: string) => xml.replace('100.00', '900.00'), ['digest']],
    ['a changed signing time', (xml: string) => xml.replace('T10:00:00Z', 'T10:00:01Z'), ['digest']],
    ['a changed role', (xml: string) => xml.replace('>emisor<', '>tercero<'), ['digest']],
    [
      'a changed value',
      (xml: string) => xml.replace(/(SignatureValue-fixed">)(.)/, (_, a, b) => a + (b === 'A' ? 'B' : 'A')),
      ['signature_value'],
    ],
    [
      'a certificate taken out',
      (xml: string) => xml.replace(/<ds:X509Certificate>[^<]*<\/ds:X509Certificate>/, ''),
      ['certificate_mismatch', 'digest'],
    ],
    [
      'no certificates at all',
      (xml: string) => xml.replace(/<ds:X509Data>.*<\/ds:X509Data>/s, ''),
      ['no_certificate', 'digest'],
    ],
    [
      'two signatures',
      (xml: string) => xml.replace(/(<ds:Signature .*<\/ds:Signature>)/s, '$1$1'),
      ['several_signatures'],
    ],
    [
      'the reference to the invoice taken out',
      (xml: string) => xml.replace(/<ds:Reference Id=.*?<\/ds:Reference>/s, ''),
      ['signature_value', 'not_covered'],
    ],
    [
      'the reference to the signed properties taken out',
      (xml: string) => xml.replace(/<ds:Reference Type=.*?<\/ds:Reference>/s, ''),
      ['signature_value', 'properties_not_covered'],
    ],
    [
      'the signature moved deeper',
      (xml: string) => {
        const [signature = ''] = /<ds:Signature .*<\/ds:Signature>/s.exec(xml) ?? []
        return xml.replace(signature, '').replace('</FileHeader>', `${signature}</FileHeader>`)
      },
      ['misplaced_signature'],
    ],
    [
      'a second element with the id of the signed properties',
      (xml: string) => xml.replace('</Invoices>', '<Wrapped Id="SignedProperties-fixed"></Wrapped></Invoices>'),
      ['digest', 'reference_target', 'properties_not_covered'],
    ],
    [
      'an XPath transform',
      (xml: string) =>
        xml.replace(
          '</ds:Transforms>',
          '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>false()</ds:XPath></ds:Transform></ds:Transforms>',
        ),
      ['signature_value', 'unsupported_transform', 'not_covered'],
    ],
    [
      'the qualifying properties of another signature',
      (xml: string) => xml.replace('Target="#Signature-fixed"', 'Target="#Signature-other"'),
      ['xades_target'],
    ],
  ])('names what is wrong with %s', async (_name, change, expected) => {
    const changed = change(signed)
    expect(changed).not.toBe(signed)
    expect([...new Set(await codesOf(changed))].sort()).toEqual([...expected].sort())
  })

  it('does not take an invoice wrapped away behind the element that was signed', async () => {
    // The signed invoice is kept whole under an id of its own; what stands first is a forgery.
    const [signature = ''] = /<ds:Signature .*<\/ds:Signature>/s.exec(signed) ?? []
    const original = signed.replace(/^<\?xml.*\?>\n/, '').replace(signature, '')
    const forged = signed
      .replace('100.00', '1.00')
      .replace('</ds:Signature>', `<ds:Object Id="original">${original}</ds:Object></ds:Signature>`)
      .replace('URI=""', 'URI="#original"')
    expect(await codesOf(forged)).toEqual(expect.arrayContaining(['signature_value', 'not_covered']))
  })

  it('warns of a certificate that had expired when it signed, even if the signature holds', async () => {
    const { xml } = signFacturae(sampleInvoice(), await fixtureKey('expired.p12'), { signedAt })
    expect(await codesOf(xml)).toEqual(['certificate_validity'])
  })
})

const samples: [file: string, present: boolean, valid: boolean][] = [
  ['own-full-signed.xsig', true, true],
  ['own-corrective-signed.xsig', true, true],
  ['face-factura-prueba-v1-2-0.xsig', true, true],
  ['own-full-unsigned.xml', false, false],
  ['own-corrective-unsigned.xml', false, false],
  ['dfb-factura-ejemplo.xml', false, false],
  ['gobl-credit-note-brokensig.xml', true, false],
  ['gobl-invoice-face-brokensig.xml', true, false],
  ['gobl-invoice-overseas-individual-brokensig.xml', true, false],
  ['gobl-invoice-vat-brokensig.xml', true, false],
  ['gobl-invoice-vat-irpf-brokensig-wrongtotal.xml', true, false],
]

describe.skipIf(sharedFacturae === null)('the shared samples', () => {
  it.each(samples)('%s: signature present %s, valid %s', async (file, present, valid) => {
    const bytes = readFileSync(new URL(`samples/${file}`, sharedFacturae ?? undefined))
    expect(await verifyFacturae(bytes)).toMatchObject({ present, valid })
  })

  it("warns that the portal's own test invoice is signed with SHA-1", async () => {
    const bytes = readFileSync(new URL('samples/face-factura-prueba-v1-2-0.xsig', sharedFacturae ?? undefined))
    const { warnings } = await verifyFacturae(bytes)
    expect(warnings.map(({ code }) => code)).toEqual(['weak_algorithm'])
  })
})

/** Offsets of characters in text and attribute values of the invoice, the signed properties and KeyInfo. */
function changeablePlaces(xml: string): number[] {
  const places: number[] = []
  const outside = /<ds:SignedInfo>.*?<\/ds:SignatureValue>/s.exec(xml)
  const from = outside?.index ?? 0
  const to = from + (outside?.[0].length ?? 0)
  for (const match of xml.matchAll(/="([^"]*)"|>([^<]+)</g)) {
    const start = match.index + (match[1] === undefined ? 1 : 2)
    const text = match[1] ?? match[2] ?? ''
    for (let i = 0; i < text.length; i += 1) {
      const at = start + i
      const inReference = /&[^;]*$/.test(text.slice(0, i + 1)) || text.charAt(i) === ';'
      if ((at < from || at >= to) && at > 40 && !inReference && /[\p{L}\p{N}.,/+=-]/u.test(text.charAt(i)))
        places.push(at)
    }
  }
  return places
}

function otherCharacter(character: string, random: () => number): string {
  const choices = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'].filter(
    (one) => one !== character,
  )
  return choices[Math.floor(random() * choices.length)] ?? 'x'
}

/** A small seeded generator, so that a failure can be repeated. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
