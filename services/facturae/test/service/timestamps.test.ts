import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixture } from '../certificates/fixtures.ts'
import { opensslAvailable, startAuthority, type TestAuthority } from '../signing/time-stamping-authority.ts'
import { codeOf, invoice, type Kit, startKit } from './kit.ts'

describe.skipIf(!opensslAvailable())('with a time-stamp authority configured (skipped without openssl)', () => {
  let authority: TestAuthority
  let kit: Kit
  beforeAll(async () => {
    authority = await startAuthority()
    kit = await startKit({ environment: { TSA_URL: authority.url } })
  })
  afterAll(async () => {
    await kit.service.stop()
    await authority.close()
  })
  const headers = { 'x-p12-b64': fixture('natural.p12').toString('base64'), 'x-p12-password': 'facturae' }

  it('signatures are XAdES-T', async () => {
    const { xml } = await kit.convert(invoice, headers)
    expect(await kit.validate(xml)).toMatchObject({ signature: { valid: true, level: 'XAdES-T' } })
  })

  it('a signature that cannot be stamped costs nothing and is not kept', async () => {
    const { xml } = await kit.convert(invoice)
    const [credits, records] = [kit.state.credits, (await kit.custody()).length]
    authority.tamper = () => Buffer.from('no token')
    expect(['SERVICE_UNAVAILABLE', 'XML_SIGN_FAILED']).toContain(await codeOf(kit.sign(xml, headers)))
    expect([kit.state.credits, (await kit.custody()).length]).toEqual([credits, records])
  })
})
