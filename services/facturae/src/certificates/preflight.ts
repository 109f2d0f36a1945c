import { fail } from '@asiento/proto/errors'
import type { ConversionWarning } from '@asiento/proto/schemas/facturae'
import { normalizeTaxId } from '@asiento/proto/tax-id'
import type { OpenedKey } from './open-p12.ts'

/** A finding about a key before it signs, as a stable code and a sentence for the caller. */
export interface Finding<Code extends string> {
  code: Code
  detail: string
}

export type PreflightProblem = Finding<
  'certificate_expired' | 'certificate_not_yet_valid' | 'key_usage' | 'key_too_weak'
>
export type PreflightWarning = Finding<'chain_incomplete' | 'tax_id_mismatch' | 'tax_id_unknown'>

export interface Preflight {
  /** Empty when the key may sign. */
  problems: PreflightProblem[]
  /** What a receiver may refuse, but we do not. */
  warnings: PreflightWarning[]
}

/**
 * Tells whether a key may sign at an instant, before anything is charged: the certificate is valid then and meant for
 * signatures, RSA has 2048 bits or more. (That the key is the certificate's {@link openP12} has seen to.) Warns when the chain
 * does not reach a root (the public portal refuses recent FNMT certificates then) and when the certificate is not the
 * seller's. Never fails.
 */
export function preflight(key: OpenedKey, { at, sellerTaxId }: { at: Date; sellerTaxId?: string }): Preflight {
  const { certificate } = key
  const problems: PreflightProblem[] = []
  const warnings: PreflightWarning[] = []
  const day = (date: Date): string => date.toISOString().slice(0, 10)
  if (at.getTime() > certificate.notAfter.getTime()) {
    problems.push({ code: 'certificate_expired', detail: `The certificate expired on ${day(certificate.notAfter)}.` })
  }
  if (at.getTime() < certificate.notBefore.getTime()) {
    const detail = `The certificate is not valid before ${day(certificate.notBefore)}.`
    problems.push({ code: 'certificate_not_yet_valid', detail })
  }
  const usage = certificate.keyUsage
  if (usage !== null && !usage.includes('digitalSignature') && !usage.includes('nonRepudiation')) {
    problems.push({ code: 'key_usage', detail: 'The certificate is not meant for signatures (its key usage).' })
  }
  if (key.algorithm === 'rsa' && key.keyBits < 2048) {
    problems.push({ code: 'key_too_weak', detail: `An RSA key of ${key.keyBits} bits is too weak; 2048 are needed.` })
  }
  if (!key.reachesRoot) {
    const detail = 'The file does not hold the whole chain of certificates; the public portal may refuse the signature.'
    warnings.push({ code: 'chain_incomplete', detail })
  }
  const mismatch = sellerTaxId === undefined ? null : taxIdWarning(key, normalizeTaxId(sellerTaxId))
  return { problems, warnings: mismatch === null ? warnings : [...warnings, mismatch] }
}

/**
 * The warnings of {@link preflight} as a conversion shows them. Fails XML_SIGN_FAILED with the first problem where the key may
 * not sign.
 */
export function checkMaySign(key: OpenedKey, options: { at: Date; sellerTaxId?: string }): ConversionWarning[] {
  const { problems, warnings } = preflight(key, options)
  const [problem] = problems
  if (problem !== undefined) fail('XML_SIGN_FAILED', { detail: problem.detail, internal: problem.code })
  return warnings.map(({ code, detail }) => ({ code, message: detail }))
}

function taxIdWarning({ certificate }: OpenedKey, seller: string): PreflightWarning | null {
  // A natural person's certificate says the one NIF in both places.
  const own = [...new Set([certificate.taxId, certificate.personTaxId])].filter((taxId) => taxId !== null)
  if (own.length === 0) return { code: 'tax_id_unknown', detail: 'The certificate names no NIF.' }
  // An intra-community prefix on the seller's number names the same taxpayer.
  if (own.includes(seller.replace(/^ES(?=.{9}$)/, ''))) return null
  return { code: 'tax_id_mismatch', detail: `The certificate is of ${own.join(' / ')}, the seller is ${seller}.` }
}
