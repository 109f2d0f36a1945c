import { createSealer } from '@asiento/chassis/sealed'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixture } from '../certificates/fixtures.ts'
import { codeOf, invoice, type Kit, masterKey, startKit } from './kit.ts'

let now = new Date('2026-11-21T10:00:00Z')
let kit: Kit
beforeAll(async () => {
  kit = await startKit({ clock: { now: () => now } })
})
afterAll(() => kit.service.stop())

const signed = (certificateId: string, who = kit.context()) =>
  kit.toFacturae({ invoice_data: invoice, sign: true, certificate_id: certificateId }, who)

describe('managed certificates', () => {
  it('are answered with an id and what they say of themselves, and sign', async () => {
    const created = await kit.addCertificate(fixture('company.p12'))
    expect(created.certificate_id).toMatch(/^cert_[0-9a-f]{32}$/)
    expect(created.subject).toContain('C=ES')
    expect(created.expires_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect((await signed(created.certificate_id)).signed).toBe(true)
    const { certificates } = await kit.service.call.listCertificates(kit.none, kit.context())
    expect(certificates).toContainEqual(expect.objectContaining({ id: created.certificate_id, name: 'Sello' }))
    expect(JSON.stringify(certificates)).not.toContain('facturae"')
  })

  it('are the account’s own', async () => {
    const { certificate_id: id } = await kit.addCertificate(fixture('natural.p12'))
    const stranger = kit.context({ userId: 2 })
    expect(await codeOf(signed(id, stranger))).toBe('CERT_NOT_FOUND')
    expect((await kit.service.call.listCertificates(kit.none, stranger)).certificates).toEqual([])
    const params = { certificate_id: id }
    expect(await codeOf(kit.service.call.deleteCertificate({ ...kit.none, params }, stranger))).toBe('CERT_NOT_FOUND')
  })

  it('stop signing when they are deleted, and their secrets are gone', async () => {
    const { certificate_id: id } = await kit.addCertificate(fixture('natural.p12'))
    await signed(id)
    const params = { certificate_id: id }
    expect(await kit.service.call.deleteCertificate({ ...kit.none, params }, kit.context())).toEqual({ deleted: true })
    expect(await codeOf(signed(id))).toBe('CERT_NOT_FOUND')
    const row = await kit.service.db.query
      .selectFrom('certificates')
      .selectAll()
      .where('certificate_id', '=', id)
      .executeTakeFirstOrThrow()
    expect([row.sealed, row.wrapped_key]).toEqual([null, null])
  })

  it('stop signing within a second when another process deletes them', async () => {
    const { certificate_id: id } = await kit.addCertificate(fixture('natural.p12'))
    await signed(id)
    const gone = { deleted_at: now, sealed: null, wrapped_key: null, kid: null }
    await kit.service.db.query.updateTable('certificates').set(gone).where('certificate_id', '=', id).execute()
    now = new Date(now.getTime() + 1_000)
    expect(await codeOf(signed(id))).toBe('CERT_NOT_FOUND')
  })

  it('stay the account’s own while their keys are remembered', async () => {
    const { certificate_id: id } = await kit.addCertificate(fixture('natural.p12'))
    await signed(id)
    expect(await codeOf(signed(id, kit.context({ userId: 2 })))).toBe('CERT_NOT_FOUND')
    expect((await signed(id)).signed).toBe(true)
  })

  it('pause when the plan no longer has them', async () => {
    const { certificate_id: id } = await kit.addCertificate(fixture('natural.p12'))
    expect(await codeOf(signed(id, kit.context({ plan: 'starter' })))).toBe('PLAN_REQUIRED')
  })

  it.each([
    ['a wrong password', 'natural.p12', 'wrong', 'CERT_INVALID_PASSWORD'],
    ['a PEM', 'root.pem', '', 'CERT_INVALID_FORMAT'],
    ['no key inside', 'no-key.p12', 'facturae', 'CERT_INVALID_FORMAT'],
    ['an old file of Windows', 'legacy-rc2.p12', 'facturae', 'accepted'],
    ['an expired one, refused on use', 'expired.p12', 'facturae', 'accepted'],
  ])('uploaded with %s: %s', async (_name, file, password, code) => {
    expect(await codeOf(kit.addCertificate(fixture(file), password))).toBe(code)
  })

  it('lie in the database only sealed', async () => {
    await kit.addCertificate(fixture('natural.p12'))
    const rows = await kit.service.db.query.selectFrom('certificates').selectAll().execute()
    for (const row of rows) {
      if (row.sealed === null) continue
      expect(row.sealed.includes(fixture('natural.p12').subarray(100, 140))).toBe(false)
      expect(row.sealed.includes(Buffer.from('facturae'))).toBe(false)
    }
  })
})

describe('the personal certificate', () => {
  it('is saved, shown, replaced, used when nothing else is named, and removed', async () => {
    const call = kit.service.call
    expect(await codeOf(call.getUserCertificate(kit.none, kit.context()))).toBe('CERT_NOT_FOUND')
    await kit.savePersonal(fixture('natural.p12'))
    const saved = await kit.savePersonal(fixture('company.p12'))
    expect(await call.getUserCertificate(kit.none, kit.context())).toEqual(saved)
    expect((await kit.toFacturae({ invoice_data: invoice, sign: true })).signed).toBe(true)
    expect(await call.deleteUserCertificate(kit.none, kit.context())).toEqual({ deleted: true })
    expect(await codeOf(kit.toFacturae({ invoice_data: invoice, sign: true }))).toBe('INVALID_INPUT')
    expect(await codeOf(call.deleteUserCertificate(kit.none, kit.context()))).toBe('CERT_NOT_FOUND')
  })
})

describe('sealed secrets', () => {
  const sealer = (...list: string[]) =>
    createSealer(
      list.map((text) => ({ kid: text.split(':')[0] ?? '', bytes: Buffer.from(text.split(':')[1] ?? '', 'base64') })),
      'facturae/certificates',
    )
  const [old, fresh] = [masterKey('k1'), masterKey('k2')]

  it('open for their owner only, and not after a change', () => {
    const envelope = sealer(old).seal(Buffer.from('secret'), '1:a')
    expect(sealer(old).unseal(envelope, '1:a').toString()).toBe('secret')
    expect(() => sealer(old).unseal(envelope, '2:a')).toThrow()
    const changed = Buffer.from(envelope.sealed)
    changed[15] = (changed[15] ?? 0) ^ 1
    expect(() => sealer(old).unseal({ ...envelope, sealed: changed }, '1:a')).toThrow()
  })

  it('move to a new master key without being opened, after which the old one may go', () => {
    const envelope = sealer(old).seal(Buffer.from('secret'), '1:a')
    const moved = sealer(fresh, old).rewrap(envelope, '1:a')
    expect(moved.kid).toBe('k2')
    expect(moved.sealed).toEqual(envelope.sealed)
    expect(sealer(fresh).unseal(moved, '1:a').toString()).toBe('secret')
    expect(() => sealer(fresh).unseal(envelope, '1:a')).toThrow('k1')
  })

  it('that were sealed by an earlier release still open', () => {
    const kept = {
      kid: 'k1',
      wrapped_key: Buffer.from(
        'y1O2covQwJHnt6+aeYWo0T4eKyrfzk/fVEa8/bfTZsyr/UaYi6fsepekK04qVw+vvUftkiyGsgSi5eyR',
        'base64',
      ),
      sealed: Buffer.from('mN9+GIKsDi7EI3X/MbXFhUE5ihZAdZJ//QnmyLKP3gNjGoOha/XzM4WIeJm6dSXAOo/K3u41Z3s=', 'base64'),
    }
    const master = `k1:${Buffer.alloc(32, 7).toString('base64')}`
    expect(sealer(master).unseal(kept, '1:cert_a').toString()).toBe('kept since the first release')
  })
})

describe('expiry', () => {
  it('is mailed once, thirty days before', async () => {
    const { expires_at: expires } = await kit.addCertificate(fixture('company.p12'))
    const { mailExpiringCertificates } = await import('../../src/app/housekeeping.ts')
    const deps = { db: kit.service.db, clock: { now: () => now }, rpc: kit.rpc } as never
    await mailExpiringCertificates(deps)
    const before = (await kit.events('mail.requested')).length
    now = new Date(Date.parse(`${expires.replace(' ', 'T')}Z`) - 29 * 86_400_000)
    await mailExpiringCertificates(deps)
    await mailExpiringCertificates(deps)
    const mails = await kit.events('mail.requested')
    expect(mails.length).toBeGreaterThan(before)
    expect(new Set(mails.map((mail) => mail.mailId)).size).toBe(mails.length)
    expect(mails.at(-1)).toMatchObject({ template: 'certificate_expiring' })
  })
})
