import { describe, expect, it } from 'vitest'
import { preflight } from '../../src/certificates/preflight.ts'
import { fixtureKey } from './fixtures.ts'

const at = new Date('2026-06-01T00:00:00Z')

describe('the check before a key signs', () => {
  it.each([
    ['natural.p12', '99999999R', []],
    ['natural.p12', 'ES99999999R', []],
    ['company.p12', 'B12345674', []],
    ['company.p12', '99999999R', []],
    ['natural.p12', 'B12345674', ['tax_id_mismatch']],
    ['no-chain.p12', '99999999R', ['chain_incomplete']],
    ['expired.p12', '99999999R', ['certificate_expired']],
    ['future.p12', '99999999R', ['certificate_not_yet_valid']],
    ['encipher.p12', '99999999R', ['key_usage']],
    ['weak.p12', '99999999R', ['key_too_weak']],
  ])('%s for seller %s finds %j', async (file, sellerTaxId, codes) => {
    const { problems, warnings } = preflight(await fixtureKey(file), { at, sellerTaxId })
    expect([...problems, ...warnings].map(({ code }) => code)).toEqual(codes)
  })

  it.each([
    ['natural.p12', 'The certificate is of 99999999R, the seller is B87654329.'],
    ['company.p12', 'The certificate is of B12345674 / 99999999R, the seller is B87654329.'],
  ])('%s of another seller names each NIF once', async (file, detail) => {
    expect(preflight(await fixtureKey(file), { at, sellerTaxId: 'B87654329' }).warnings).toContainEqual({
      code: 'tax_id_mismatch',
      detail,
    })
  })

  it('describes a certificate in RFC 4514 order, with a decimal serial of any length', async () => {
    const { certificate } = await fixtureKey('company.p12')
    expect(certificate.issuer).toBe('CN=AC Representación TEST, OID.2.5.4.97=VATES-Q2826004J, O=ASIENTO TEST, C=ES')
    expect(certificate.subject).toMatch(/^CN=99999999R JUAN ESPAÑOL \(R: B12345674\), .*O=EMPRESA\\, S\.L\., C=ES$/)
    expect(certificate.serialNumber).toMatch(/^\d{30,}$/)
    expect(certificate.taxId).toBe('B12345674')
    expect(certificate.personTaxId).toBe('99999999R')
  })
})
