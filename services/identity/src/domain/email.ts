import { domainToASCII } from 'node:url'
import { fail } from '@asiento/proto/errors'
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import { z } from 'zod'

export interface Address {
  /** As it was typed, without blanks around it. */
  typed: string
  /** All in lower case, an international domain in its ASCII form: two addresses are one account when these agree. */
  canonical: string
}

const form = z.email().max(254)
/** Nothing that the URL rules of `domainToASCII` would drop or decode, such as line breaks and percent signs. */
const domainForm = /^[\p{L}\p{M}\p{N}.-]+$/u
/** Well-known ones that the package's list lacks. */
const alsoDisposable = [
  'burnermail.io',
  'disposablemail.com',
  'minutemail.com',
  'temp-mail.io',
  'tempmail.com',
  'tempmail.net',
  'tempmail.org',
  'throwaway.email',
]
let disposable: ReadonlySet<string> | undefined

/** Reads an address. Null when it is malformed. */
export function readAddress(text: string): Address | null {
  const typed = text.trim()
  const at = typed.lastIndexOf('@')
  const domain = typed.slice(at + 1)
  if (at < 1 || at > 64 || !domainForm.test(domain)) return null
  const canonical = `${typed.slice(0, at)}@${domainToASCII(domain)}`.toLowerCase()
  return form.safeParse(canonical).success ? { typed, canonical } : null
}

/** The address of a registration. Fails INVALID_EMAIL, DISPOSABLE_EMAIL. */
export function acceptAddress(text: string): Address {
  const address = readAddress(text) ?? fail('INVALID_EMAIL')
  if (isDisposable(address)) fail('DISPOSABLE_EMAIL')
  return address
}

/** True when the domain, or one above it, hands out throw-away addresses. */
export function isDisposable(address: Address): boolean {
  disposable ??= new Set([...disposableEmailBlocklistSet(), ...alsoDisposable])
  const labels = address.canonical.slice(address.canonical.lastIndexOf('@') + 1).split('.')
  for (let from = 0; from < labels.length - 1; from += 1) {
    if (disposable.has(labels.slice(from).join('.'))) return true
  }
  return false
}
