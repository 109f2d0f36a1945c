import { fail } from '@asiento/proto/errors'

export type Format = 'pdf' | 'png' | 'jpeg' | 'webp'

/** Largest number of pixels that an image may declare: a 20 MB photo has about 50 million. */
export const pixelsMax = 120_000_000

const extensionFormats: Record<string, Format> = {
  pdf: 'pdf',
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  jpe: 'jpeg',
  jfif: 'jpeg',
  webp: 'webp',
}

/** Extensions that name another format; whatever else follows a dot (`factura 3.2026`, `Acme S.L`) is part of the name. */
const otherExtensions = new Set(
  `7z avif bat bmp csv doc docx eml eps epub exe gif gz heic heif htm html ico js json md mov mp3 mp4 msg odp ods odt p12
  p7m pfx ppt pptx ps psd rar rtf sh svg tar tif tiff ts txt xls xlsx xml xsig yaml yml zip`.split(/\s+/),
)

export interface Named {
  /** As uploaded; only its extension is looked at. */
  filename?: string | undefined
}

/**
 * Tells the format of a file by its first bytes.
 *
 * Fails with INVALID_INPUT for an empty file; FILE_CONTENT_MISMATCH when the extension names another format than the
 * content, or the file is two formats at once; FILE_TYPE_INVALID for everything that is no PDF, PNG, JPG or WebP.
 */
export function sniff(bytes: Uint8Array, { filename }: Named = {}): Format {
  if (bytes.length === 0) fail('INVALID_INPUT', { detail: 'The file is empty.' })
  const extension = extensionOf(filename)
  const claimed = extension === undefined ? undefined : extensionFormats[extension]
  const found = formatOf(bytes)
  if (found === undefined) {
    if (claimed !== undefined) {
      fail('FILE_CONTENT_MISMATCH', { detail: `The file is named .${extension} but its content is not.` })
    }
    fail('FILE_TYPE_INVALID')
  }
  if (extension !== undefined && claimed !== found) {
    fail('FILE_CONTENT_MISMATCH', { detail: `The file is named .${extension} but its content is ${found}.` })
  }
  if (isTwoFormats(bytes, found)) {
    fail('FILE_CONTENT_MISMATCH', { detail: `The file is ${found} and another format at once.` })
  }
  return found
}

function extensionOf(filename: string | undefined): string | undefined {
  const last = /\.([A-Za-z0-9]{1,8})$/.exec(filename ?? '')?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(extensionFormats, last) || otherExtensions.has(last) ? last : undefined
}

function formatOf(bytes: Uint8Array): Format | undefined {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png'
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'jpeg'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp'
  return isPdf(bytes) ? 'pdf' : undefined
}

/** The header may stand behind a byte order mark, blanks or a mail's remains, but not behind another format. */
function isPdf(bytes: Uint8Array): boolean {
  const head = ascii(bytes, 0, 1029)
  const at = head.indexOf('%PDF-')
  if (at < 0) return false
  const before = head.slice(0, at)
  return (
    at === 0 ||
    (!/^(PK|GIF8|BM|II\*|MM|\x7fELF|MZ|Rar!|7z)/.test(before) && !/<\s*(html|script|\?xml|svg)/i.test(before))
  )
}

/** Another format's header inside the head of a PDF or image, or an archive glued to its end. */
function isTwoFormats(bytes: Uint8Array, format: Format): boolean {
  const head = ascii(bytes, 0, 1024)
  if (format !== 'pdf' && head.includes('%PDF-')) return true
  if (format === 'pdf' && /<\s*(html|script)\b/i.test(head.slice(0, 512))) return true
  const end = ascii(bytes, Math.max(0, bytes.length - 66_000), bytes.length)
  const archive = end.lastIndexOf('PK\x05\x06')
  if (archive < 0 || end.length - archive < 22) return false
  const comment = end.charCodeAt(archive + 20) + 256 * end.charCodeAt(archive + 21)
  return archive + 22 + comment === end.length
}

const startsWith = (bytes: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((byte, index) => bytes[index] === byte)

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', from, Math.min(to, bytes.length))
