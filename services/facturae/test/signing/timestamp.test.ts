import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { signFacturae } from '../../src/signing/sign.ts'
import { addTimestamp } from '../../src/signing/timestamp.ts'
import { verifyFacturae } from '../../src/signing/verify.ts'
import { fixtureKey } from '../certificates/fixtures.ts'
import { dssAvailable, judgeByDss } from '../judges/dss.ts'
import { judgeByXmlsec1, xmlsec1Available } from '../judges/xmlsec1.ts'
import { sampleInvoice } from './sample-invoice.ts'
import { opensslAvailable, startAuthority, type TestAuthority } from './time-stamping-authority.ts'

describe.skipIf(!opensslAvailable())('a time-stamped signature', () => {
  let authority: TestAuthority
  let signed = ''
  const folder = mkdtempSync(join(tmpdir(), 'stamped-'))
  beforeAll(async () => {
    authority = await startAuthority()
    signed = signFacturae(sampleInvoice(), await fixtureKey(), { signedAt: new Date('2026-06-01T10:00:00Z') }).xml
  })
  afterEach(() => {
    authority.tamper = null
  })
  afterAll(async () => {
    await authority.close()
    rmSync(folder, { recursive: true })
  })
  const stamp = (trustedPem: string[] = [authority.rootPem]) => addTimestamp(signed, { url: authority.url, trustedPem })

  it('is XAdES-T, and all judges accept it', async () => {
    const { xml, stampedAt } = await stamp()
    expect(Math.abs(stampedAt.getTime() - Date.now())).toBeLessThan(60_000)
    expect(await verifyFacturae(xml)).toMatchObject({ valid: true, level: 'XAdES-T', errors: [] })
    const path = join(folder, 'stamped.xsig')
    writeFileSync(path, xml)
    if (xmlsec1Available()) expect(await judgeByXmlsec1(path)).toBeNull()
    if (!dssAvailable()) return
    expect(judgeByDss([path])).toEqual([
      expect.objectContaining({ format: 'XAdES-BASELINE-T', intact: 'true', structure: 'true', timestamps: '1' }),
    ])
  }, 120_000)

  it('is refused when the stamp is of another signature', async () => {
    const { xml } = await stamp()
    const token = /<xades:UnsignedProperties>.*<\/xades:UnsignedProperties>/s.exec(xml)?.[0] ?? ''
    const other = signFacturae(sampleInvoice({ seed: 2 }), await fixtureKey(), { signedAt: new Date() }).xml
    const moved = other.replace('</xades:SignedProperties>', `</xades:SignedProperties>${token}`)
    expect((await verifyFacturae(moved)).errors.map(({ code }) => code)).toEqual(['timestamp'])
  })

  it.each([
    ['the digest that it stamps', /060960864801650304020105000420(?=.{64})/, 'stamps something else'],
    ['its time', /180f3230(?=.{22})/, 'content was changed'],
    ['its nonce', /180f.{30}.*?0210(?=.{32})/, 'nonce'],
    ['the digest of its content', /06092a864886f70d01090431220420(?=.{64})/, 'content was changed'],
    ['the signature of the authority', /0482\w{4}(?=.{512}$)/, 'signature does not hold'],
  ])('is not made when %s was changed on the way', async (_what, before, problem) => {
    authority.tamper = (reply) => {
      const hex = reply.toString('hex')
      const found = before.exec(hex)
      if (found === null) throw new Error('the reply has no such part')
      // Within the value, past a leading byte that other checks would notice first.
      const at = (found.index + found[0].length) / 2 + 4
      reply[at] = (reply[at] ?? 0) ^ 1
      return reply
    }
    await expect(stamp()).rejects.toMatchObject({ code: 'XML_SIGN_FAILED', detail: expect.stringContaining(problem) })
  })

  it('is not made with an old token, for another nonce', async () => {
    let first: Buffer | null = null
    authority.tamper = (reply) => {
      first ??= reply
      return first
    }
    await stamp()
    await expect(stamp()).rejects.toMatchObject({ code: 'XML_SIGN_FAILED', detail: expect.stringContaining('nonce') })
  })

  it('is not made with an authority that is not trusted', async () => {
    const { chain } = await fixtureKey('company.p12')
    const other = `-----BEGIN CERTIFICATE-----\n${Buffer.from(chain[0] ?? []).toString('base64')}\n-----END CERTIFICATE-----\n`
    await expect(stamp([other])).rejects.toMatchObject({ code: 'XML_SIGN_FAILED' })
  })

  it('answers SERVICE_UNAVAILABLE when the authority refuses, or does not answer', async () => {
    authority.tamper = () => Buffer.from('30053003020102', 'hex')
    await expect(stamp()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await expect(addTimestamp(signed, { url: 'http://127.0.0.1:1/' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
  })
})
