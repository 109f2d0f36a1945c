import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chainOf } from '../../src/certificates/chain.ts'
import { children, encoded, readDer } from '../../src/certificates/der.ts'
import { openP12 } from '../../src/certificates/open-p12.ts'
import { P12Error } from '../../src/certificates/p12-error.ts'
import { fixture, sharedFacturae } from './fixtures.ts'
import { withLegacyMac, withPbmac1 } from './resealed.ts'

const nonAscii = 'contraseña€'

const good: [file: string, password: string, algorithm: string, chain: number, taxId: string][] = [
  ['natural.p12', 'facturae', 'rsa', 3, '99999999R'],
  ['legacy-rc2.p12', 'facturae', 'rsa', 3, '99999999R'],
  ['legacy-3des.pfx', 'facturae', 'rsa', 3, '99999999R'],
  ['ec.p12', 'facturae', 'ec-p256', 3, '99999999R'],
  ['company.p12', 'facturae', 'rsa', 3, 'B12345674'],
  ['no-chain.p12', 'facturae', 'rsa', 1, '99999999R'],
  ['empty-password.p12', '', 'rsa', 3, '99999999R'],
  ['no-mac.p12', 'whatever', 'rsa', 3, '99999999R'],
  ['nonascii-legacy.p12', nonAscii, 'rsa', 3, '99999999R'],
  ['nonascii-modern.p12', nonAscii, 'rsa', 3, '99999999R'],
  ['nonascii-modern.p12', nonAscii.normalize('NFD'), 'rsa', 3, '99999999R'],
]

describe('opening a .p12', () => {
  it.each(good)('reads %s with password "%s"', async (file, password, algorithm, chain, taxId) => {
    const key = await openP12(fixture(file), password)
    expect(key.algorithm).toBe(algorithm)
    expect(key.chain).toHaveLength(chain)
    expect(key.certificate.taxId).toBe(taxId)
  })

  it.each([
    ['no-key.p12', 'facturae', 'P12_NO_KEY'],
    ['natural.p12', 'wrong', 'P12_PASSWORD'],
    ['legacy-rc2.p12', 'wrong', 'P12_PASSWORD'],
    ['natural.p12', '', 'P12_PASSWORD'],
  ])('refuses %s with password "%s" as %s', async (file, password, reason) => {
    await expect(openP12(fixture(file), password)).rejects.toMatchObject({ name: 'P12Error', reason })
  })

  it('pairs a key with its own certificate only', async () => {
    const own = await openP12(fixture('natural.p12'), 'facturae')
    const other = await openP12(fixture('weak.p12'), 'facturae')
    expect(chainOf([other.privateKey, own.privateKey], own.chain)?.privateKey).toBe(own.privateKey)
    expect(chainOf([other.privateKey], own.chain)).toBeUndefined()
  })

  it('refuses what is no PKCS#12 as P12_FORMAT and what is over 5 MB as P12_LIMIT', async () => {
    const pem = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n')
    for (const file of [pem, Buffer.alloc(0), Buffer.alloc(64), fixture('natural.p12').subarray(0, 2000)]) {
      await expect(openP12(file, 'facturae')).rejects.toMatchObject({ reason: 'P12_FORMAT' })
    }
    await expect(openP12(Buffer.alloc(5 * 1024 * 1024 + 1), 'x')).rejects.toMatchObject({ reason: 'P12_LIMIT' })
  })

  it('reads the same key when the file is BER of indefinite length', async () => {
    const plain = fixture('legacy-rc2.p12')
    const { certificate } = await openP12(plain, 'facturae')
    expect((await openP12(indefinite(plain), 'facturae')).certificate).toEqual(certificate)
  })

  it('reads a file sealed with PBMAC1, and refuses it with another password', async () => {
    const sealed = withPbmac1(fixture('natural.p12'), 'facturae', 2048)
    expect((await openP12(sealed, 'facturae')).chain).toHaveLength(3)
    await expect(openP12(sealed, 'other')).rejects.toMatchObject({ reason: 'P12_PASSWORD' })
  })

  it('refuses hostile iteration counts at once and as P12_LIMIT', async () => {
    const hostile = withPbmac1(fixture('natural.p12'), 'facturae', 1, 100_000_000)
    const before = process.cpuUsage()
    await expect(openP12(hostile, 'facturae')).rejects.toMatchObject({ reason: 'P12_LIMIT' })
    // Microseconds. A hundred million iterations take minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(500_000)
  })

  it('says why for every damaged file, and never anything else', async () => {
    const whole = fixture('natural.p12')
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const damaged = Buffer.from(whole)
        damaged[at] = (damaged[at] ?? 0) ^ mask
        const outcome = await openP12(damaged, 'facturae').catch((error: unknown) => error)
        // A change in an ignored place (a version number, MacData's own framing) may leave the file readable.
        expect(outcome instanceof P12Error || (outcome as { chain?: unknown[] }).chain?.length === 3).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    [7, 40],
    [4436, 12],
    [4438, 24],
  ])('takes a damaged time or string for damage (byte %i, bits %i)', async (at, mask) => {
    const damaged = Buffer.from(fixture('natural.p12'))
    damaged[at] = (damaged[at] ?? 0) ^ mask
    await expect(openP12(damaged, 'facturae')).rejects.toBeInstanceOf(P12Error)
  })

  it('leaves the event loop free while it derives keys over many iterations', async () => {
    const slow = withLegacyMac(fixture('no-mac.p12'), 300_000)
    // This thread's own time between two turns of the loop: other programs on the machine do not count.
    const stretches: number[] = []
    let before = threadMs()
    const everyTurn = setInterval(() => {
      const now = threadMs()
      stretches.push(now - before)
      before = now
    }, 1)
    await expect(openP12(slow, 'facturae')).rejects.toMatchObject({ reason: 'P12_PASSWORD' })
    clearInterval(everyTurn)
    expect(stretches.length).toBeGreaterThan(2)
    expect(Math.max(...stretches)).toBeLessThan(60)
  })
})

const sharedCases: [file: string, password: string, outcome: string][] = [
  ['a-natural-modern.p12', 'facturae', 'chain 3'],
  ['b-natural-legacy-rc2.p12', 'facturae', 'chain 3'],
  ['b2-natural-legacy-3des.pfx', 'facturae', 'chain 3'],
  ['c-natural-expired.p12', 'facturae', 'chain 3'],
  ['c2-natural-not-yet-valid.p12', 'facturae', 'chain 3'],
  ['d-natural-ec-p256.p12', 'facturae', 'chain 3'],
  ['e-natural-empty-password.p12', '', 'chain 3'],
  ['e2-natural-no-encryption-no-mac.p12', 'facturae', 'chain 3'],
  ['f-natural-friendlyname-extrachain.p12', 'facturae', 'chain 3'],
  ['g-corrupt-truncated.p12', 'facturae', 'P12_FORMAT'],
  ['g2-corrupt-bitflip.p12', 'facturae', 'P12_PASSWORD'],
  ['g3-not-a-p12.p12', 'facturae', 'P12_FORMAT'],
  ['h-representante-modern.p12', 'facturae', 'chain 3'],
  ['h2-representante-legacy-rc2.p12', 'facturae', 'chain 3'],
  ['i-natural-no-chain.p12', 'facturae', 'chain 1'],
  ['j-natural-legacy-nonascii-password.p12', nonAscii, 'chain 3'],
  ['j2-natural-modern-nonascii-password.p12', nonAscii, 'chain 3'],
  ['k-no-private-key.p12', 'facturae', 'P12_NO_KEY'],
  ['l-hostile-mac-iterations.p12', 'facturae', 'P12_LIMIT'],
  ['m-natural-ber-rc2.p12', 'facturae', 'chain 3'],
  ['n-natural-java-keytool.p12', 'facturae', 'chain 3'],
]

describe.skipIf(sharedFacturae === null)('the shared certificates', () => {
  it.each(sharedCases)('%s with "%s": %s', async (file, password, expected) => {
    const bytes = readFileSync(new URL(`certs/${file}`, sharedFacturae ?? undefined))
    const outcome = await openP12(bytes, password).then(
      ({ chain }) => `chain ${chain.length}`,
      (error: unknown) => (error instanceof P12Error ? error.reason : String(error)),
    )
    expect(outcome).toBe(expected)
  })
})

/** Writes every constructed element with an indefinite length. */
function indefinite(der: Buffer): Buffer {
  const write = (node: ReturnType<typeof readDer>): Buffer => {
    const whole = encoded(node)
    if (!node.idBlock.isConstructed) return whole
    return Buffer.concat([whole.subarray(0, 1), Buffer.from([0x80]), ...children(node).map(write), Buffer.alloc(2)])
  }
  return write(readDer(der))
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
