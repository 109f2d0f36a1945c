import { createHash } from 'node:crypto'

/** A UUID that follows from a name: the same work, taken over after a crash, has the same ids in all its parts. */
export function uuidFrom(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16)
  // Version 8 (RFC 9562): made by the application's own rule.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
