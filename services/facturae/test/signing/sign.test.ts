import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkerPool } from '@asiento/chassis/workers'
import { XmlDocument } from 'libxml2-wasm'
import { afterAll, describe, expect, it } from 'vitest'
import { asCanonical } from '../../src/signing/canonical-form.ts'
import { signFacturae } from '../../src/signing/sign.ts'
import { verifyFacturae } from '../../src/signing/verify.ts'
import type { Outcome, Task } from '../../src/work/tasks.ts'
import { fixtureKey } from '../certificates/fixtures.ts'
import { dssAvailable, judgeByDss } from '../judges/dss.ts'
import { judgeByXadesjs } from '../judges/xadesjs.ts'
import { judgeByXmlsec1, xmlsec1Available } from '../judges/xmlsec1.ts'
import { sampleInvoice } from './sample-invoice.ts'

const signedAt = new Date('2026-06-01T10:00:00.987Z')
const folder = mkdtempSync(join(tmpdir(), 'signed-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, content: string): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const xmlsec1 = xmlsec1Available()
const dss = dssAvailable()
const documentCount = process.env.TEST_FULL ? 500 : 40
/** The full counts start a program for each file, which takes long on a busy machine. */
const patienceMs = process.env.TEST_FULL ? 1_800_000 : 300_000
const keyFiles = ['natural.p12', 'ec.p12', 'company.p12', 'no-chain.p12'] as const

const plain = sampleInvoice()
const body = plain.replace(/^<\?xml.*\?>\n/, '')
const latin = body.replace(/[^\0-\u00ff]/gu, '-')
/** The same invoice as others write it; `bytes` where the encoding is the point. */
const foreign: [name: string, xml: string | Uint8Array][] = [
  ['canonical already', plain],
  ['indented', plain.replaceAll('><', '>\n  <')],
  ['with CRLF line ends', plain.replaceAll('><', '>\r\n\t<')],
  ['with a BOM', `\uFEFF${plain}`],
  ['in ISO-8859-1', Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${latin}`, 'latin1')],
  ['in UTF-16', Buffer.from(`\uFEFF<?xml version="1.0" encoding="UTF-16"?>${body}`, 'utf16le')],
  ['with another prefix', plain.replaceAll('fe:', 'q:').replace('xmlns:fe', 'xmlns:q')],
  [
    'with the prefixes of signatures bound to other namespaces, and xml: attributes',
    body.replace(
      /xmlns:ds="[^"]*"/,
      'xmlns="" xmlns:ds="urn:a" xmlns:xades="urn:b" xml:lang="es" xml:space="preserve"',
    ),
  ],
  [
    'with namespaces declared further in',
    body.replace(
      '</fe:Facturae>',
      '<Extensions><z:a xmlns:z="urn:z" b="1" a="2&#10;"/><b xmlns="urn:d"/></Extensions></fe:Facturae>',
    ),
  ],
  [
    'with comments, processing instructions and CDATA, also around the root',
    `<!-- a --><?one?>${body.replace('<Batch>', '<!-- </fe:Facturae> --><?two a < b ?><Batch>').replace('Madrid', '<![CDATA[Madrid & <x>]]>')}\n<!-- </fe:Facturae> -->\n<?three?>\n`,
  ],
  ['with a carriage return as a reference', body.replace('C/ Falsa', 'C/&#13; Falsa&#xD;')],
  ['with self-closing tags and single quotes', body.replace('<Batch>', "<Batch a='\"'><Empty />")],
]

describe('signing', () => {
  it.each(foreign)('signs an invoice %s, and every judge accepts it', { timeout: 60_000 }, async (name, xml) => {
    for (const keyFile of keyFiles) {
      const { xml: signed } = signFacturae(xml, await fixtureKey(keyFile), { signedAt })
      expect(await verifyFacturae(signed)).toMatchObject({ valid: true, level: 'XAdES-EPES', errors: [], warnings: [] })
      if (xmlsec1) expect(await judgeByXmlsec1(file(`${keyFile}-${name.length}.xml`, signed))).toBeNull()
    }
  })

  it.each(foreign)('leaves the content of an invoice %s as it is', async (_name, xml) => {
    const { xml: signed } = signFacturae(xml, await fixtureKey(), { signedAt })
    const document = XmlDocument.fromString(signed)
    document.get('//ds:Signature', { ds: 'http://www.w3.org/2000/09/xmldsig#' })?.remove()
    const original =
      typeof xml === 'string' ? XmlDocument.fromString(xml.replace('\uFEFF', '')) : XmlDocument.fromBuffer(xml)
    expect(document.canonicalizeToString({ withComments: true })).toBe(
      original.canonicalizeToString({ withComments: true }),
    )
    document.dispose()
    original.dispose()
  })

  it('gives the same bytes for the same instant and id, whether or not the text was parsed before', async () => {
    const key = await fixtureKey()
    const options = { signedAt, id: 'fixed' }
    const parsed = signFacturae(plain, key, options).xml
    expect(signFacturae(plain, key, { ...options, known: 'canonical' }).xml).toBe(parsed)
    expect(signFacturae(plain, key, { ...options, known: 'well-formed' }).xml).toBe(parsed)
    const golden = new URL('./fixtures/golden-signed.xsig', import.meta.url)
    expect(parsed).toBe(readFileSync(golden, 'utf8'))
  })

  it.each([
    ['sha512', 'supplier'],
    ['sha256', 'tercero <&>'],
  ] as const)('signs with %s and the role %s', async (hash, role) => {
    const key = await fixtureKey()
    const { xml } = signFacturae(plain, key, { signedAt, hash, role })
    expect(xml).toContain(`#rsa-${hash}"`)
    expect(await verifyFacturae(xml)).toMatchObject({ valid: true, signed_at: '2026-06-01T10:00:00.000Z' })
    expect(await judgeByXadesjs(xml)).toBeNull()
  })

  it('takes canonical text as it is, exactly where C14N would', () => {
    for (const [, xml] of foreign) {
      if (typeof xml !== 'string') continue
      const fast = asCanonical(xml, 'well-formed')
      if (fast === null) continue
      expect(fast.canonical).toBe(XmlDocument.fromString(xml).canonicalizeToString())
    }
    expect(asCanonical(plain, 'well-formed')).not.toBeNull()
    const changes: [string, string][] = [
      ['<Batch>', '<Batch a="1">'],
      ['<Batch>', '<Batch ><x/>'],
      ['Madrid', 'Ma>drid'],
      ['Madrid', 'Ma\rdrid'],
      ['Madrid', 'Ma&#65;drid'],
      ['Madrid', 'Ma&quot;drid'],
      ['<Batch>', '<!-- --><Batch>'],
      ['<Batch>', '<ds:Signature></ds:Signature><Batch>'],
      ['xmlns:ds', 'xmlns:zz'],
    ]
    for (const [from, to] of changes) expect(asCanonical(plain.replace(from, to), 'well-formed'), to).toBeNull()
  })

  it.each([
    ['signed already', plain.replace('</fe:Facturae>', '<ds:Signature/></fe:Facturae>')],
    [
      'signed deeper inside',
      body.replace('<Batch>', '<Batch><s:Signature xmlns:s="http://www.w3.org/2000/09/xmldsig#"/>'),
    ],
    ['with a DOCTYPE', `<!DOCTYPE x>${body}`],
    [
      'with an entity bomb',
      `<!-- --><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${body.replace('Madrid', '&b;')}`,
    ],
    ['not well-formed', plain.replace('</Batch>', '')],
    ['cut short', plain.slice(0, 3000)],
    ['other XML', '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"></Invoice>'],
    [
      'with a namespace that canonicalizes differently here and there',
      body.replace('<Batch>', '<Batch xmlns:z="urn:a&amp;b">'),
    ],
    ['an empty root', body.replace(/>.*/s, '/>')],
    ['no XML', 'hello'],
    ['nothing', ''],
    ['bytes that are not of their encoding', Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${latin}`, 'latin1')],
  ])('refuses an invoice that is %s as INVALID_INPUT', async (_name, xml) => {
    const key = await fixtureKey()
    expect(() => signFacturae(xml, key, { signedAt })).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
  })

  it('refuses 33 MB as PAYLOAD_TOO_LARGE, without parsing', async () => {
    const key = await fixtureKey()
    const huge = Buffer.alloc(33 * 1024 * 1024, 0x20)
    expect(() => signFacturae(huge, key, { signedAt })).toThrow(expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }))
  })

  it('signs on a worker thread with a key opened here', async () => {
    const pool = createWorkerPool<Task, Outcome>({
      module: new URL('../../src/work/worker.ts', import.meta.url),
      threadsMax: 1,
      timeoutMs: 30_000,
    })
    try {
      const sign = { key: await fixtureKey(), signedAt, timestampUrl: null }
      const outcome = await pool.run({ kind: 'sign', bytes: Buffer.from(plain), sign, role: 'emisor' })
      const { xml } = 'result' in outcome && 'xml' in outcome.result ? outcome.result : { xml: '' }
      expect(await verifyFacturae(Buffer.from(xml))).toMatchObject({ valid: true })
      const failure = pool.run({ kind: 'sign', bytes: Buffer.from('<a/>'), sign, role: 'emisor' })
      await expect(failure).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    } finally {
      await pool.close()
    }
  })

  it('digests text beyond Latin-1 as UTF-8, astral characters too', async () => {
    const key = await fixtureKey()
    const wide = plain.replace('EMPRESA', 'EMPRESA € — 𝄞')
    const options = { signedAt, id: 'fixed' }
    const { xml } = signFacturae(wide, key, { ...options, known: 'canonical' })
    expect(xml).toBe(signFacturae(Buffer.from(wide), key, options).xml)
    expect(await verifyFacturae(Buffer.from(xml))).toMatchObject({ valid: true })
  })
})

describe(`${documentCount} signed invoices`, () => {
  const signedFiles = async (): Promise<string[]> => {
    const keys = await Promise.all(keyFiles.map((name) => fixtureKey(name)))
    return Array.from({ length: documentCount }, (_, i) => {
      const key = keys[i % keys.length]
      if (key === undefined) throw new Error('no key')
      const xml = sampleInvoice({ seed: i + 1, lines: 1 + (i % 30) })
      const hash = i % 3 === 0 ? 'sha512' : 'sha256'
      return file(
        `invoice-${i}.xsig`,
        signFacturae(xml, key, { signedAt, hash, ...(i % 2 === 0 ? { known: 'canonical' as const } : {}) }).xml,
      )
    })
  }

  it.skipIf(!xmlsec1)(
    'are all accepted by xmlsec1',
    async () => {
      for (const path of await signedFiles()) expect(await judgeByXmlsec1(path), path).toBeNull()
    },
    patienceMs,
  )

  it.skipIf(!dss)(
    'are all accepted by EU DSS as XAdES with the Facturae policy',
    async () => {
      for (const verdict of judgeByDss(await signedFiles())) {
        expect(verdict).toEqual({
          signatures: '1',
          format: 'XAdES-BASELINE-B',
          policy: expect.stringContaining('politica_de_firma_formato_facturae_v3_1.pdf'),
          intact: 'true',
          references: 'true',
          structure: 'true',
          certificate: 'true',
          timestamps: '0',
        })
      }
    },
    patienceMs,
  )
})
