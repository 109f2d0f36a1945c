import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import { planOpens } from '@asiento/proto/plans'
import type { OpenedKey } from '../certificates/open-p12.ts'
import type { Deps } from './deps.ts'
import { findCertificate, longestCertificate, openStored } from './stored-certificates.ts'

/** Where the certificate of a call may come from. */
export interface CertificateSource {
  certificateId: string | null
  p12Base64: string | null
  p12Password: string
}

/** The sources of a call's headers. */
export const sourceOfHeaders = (headers: Record<string, string>): CertificateSource => ({
  certificateId: present(headers['x-certificate-id']),
  p12Base64: present(headers['x-p12-b64']),
  p12Password: utf8(headers['x-p12-password'] ?? ''),
})

const present = (text: string | undefined): string | null =>
  text === undefined || text.trim() === '' ? null : text.trim()

/** Header bytes arrive as Latin-1; passwords are UTF-8. What is no UTF-8, or is decoded already, stays as it is. */
export function utf8(text: string): string {
  for (const sign of text) if ((sign.codePointAt(0) ?? 0) > 0xff) return text
  const decoded = Buffer.from(text, 'latin1').toString('utf8')
  return decoded.includes('\uFFFD') ? text : decoded
}

export const namesCertificate = (source: CertificateSource): boolean =>
  source.certificateId !== null || source.p12Base64 !== null

/**
 * The key that signs: certificate_id, else the .p12 of the call, else the personal certificate.
 *
 * Fails CERT_NOT_FOUND (unknown or another account's), PLAN_REQUIRED (the plan no longer has such certificates),
 * XML_SIGN_FAILED (a .p12 that does not open), INVALID_INPUT (no certificate from any source).
 */
export async function signingKey(deps: Deps, actor: Actor, source: CertificateSource): Promise<OpenedKey> {
  const now = deps.clock.now()
  if (source.certificateId !== null) {
    if (!planOpens(actor.plan, 'managed_certificates')) fail('PLAN_REQUIRED')
    const known = deps.openedKeys.current(actor.userId, source.certificateId)
    if (known !== undefined) return known
    const row = await findCertificate(deps, actor, source.certificateId)
    return openStored(deps, row ?? fail('CERT_NOT_FOUND'), now)
  }
  if (source.p12Base64 !== null) return openGiven(deps, source.p12Base64, source.p12Password)
  const personal = planOpens(actor.plan, 'personal_certificate') ? await findCertificate(deps, actor, null) : undefined
  if (personal === undefined) {
    return fail('INVALID_INPUT', {
      detail: 'Signing needs a certificate: certificate_id, a .p12 with the call, or the personal one of the account.',
    })
  }
  return openStored(deps, personal, now)
}

/** A key for work without a caller: the personal certificate, else the managed one that is valid longest. */
export async function accountKey(deps: Deps, actor: Actor): Promise<OpenedKey> {
  const now = deps.clock.now()
  const row = (await findCertificate(deps, actor, null)) ?? (await longestCertificate(deps, actor))
  return openStored(deps, row ?? fail('INVALID_INPUT', { detail: 'The account has no certificate to sign with.' }), now)
}

function openGiven(deps: Deps, base64: string, password: string): Promise<OpenedKey> {
  const text = base64.replace(/^data:[^,]*,/, '').replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) {
    return fail('XML_SIGN_FAILED', { detail: 'The .p12 of the call is no base64.' })
  }
  const decoded = Buffer.from(text, 'base64')
  const file = new Uint8Array(decoded)
  decoded.fill(0)
  return deps.openP12(file, password, 'signing')
}
