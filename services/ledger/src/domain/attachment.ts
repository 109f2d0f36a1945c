import { fail } from '@asiento/proto/errors'

interface Signature {
  contentType: string
  extension: string
  matches: (bytes: Uint8Array) => boolean
}

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((value, index) => bytes[index] === value)

const textAt = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))

/** What an attachment may be, told by its first bytes. SVG is left out: it can carry scripts. */
const signatures: readonly Signature[] = [
  {
    contentType: 'application/pdf',
    extension: 'pdf',
    matches: (bytes) => textAt(bytes, 0, 1024).includes('%PDF-'),
  },
  {
    contentType: 'image/png',
    extension: 'png',
    matches: (bytes) => startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  },
  { contentType: 'image/jpeg', extension: 'jpg', matches: (bytes) => startsWith(bytes, 0xff, 0xd8, 0xff) },
  {
    contentType: 'image/webp',
    extension: 'webp',
    matches: (bytes) => textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 12) === 'WEBP',
  },
  { contentType: 'image/gif', extension: 'gif', matches: (bytes) => /^GIF8[79]a/.test(textAt(bytes, 0, 6)) },
  {
    contentType: 'image/tiff',
    extension: 'tif',
    matches: (bytes) => startsWith(bytes, 0x49, 0x49, 0x2a, 0x00) || startsWith(bytes, 0x4d, 0x4d, 0x00, 0x2a),
  },
  {
    contentType: 'image/heic',
    extension: 'heic',
    matches: (bytes) => /^ftyp(heic|heix|heif|mif1|msf1)/.test(textAt(bytes, 4, 12)),
  },
]

/** The content type by magic bytes. Fails with ATTACHMENT_INVALID when it is no PDF and no image. */
export function attachmentType(firstBytes: Uint8Array): { contentType: string; extension: string } {
  const found = signatures.find((signature) => signature.matches(firstBytes))
  if (found === undefined)
    return fail('ATTACHMENT_INVALID', { detail: 'The attachment is neither a PDF nor an image.' })
  return { contentType: found.contentType, extension: found.extension }
}

/** How many bytes {@link attachmentType} wants to see. */
export const signatureBytes = 1024
