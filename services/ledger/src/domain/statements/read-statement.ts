import { looksLikeCamt053, readCamt053 } from './camt053.ts'
import { decodeText } from './decode-text.ts'
import { withFingerprints } from './fingerprint.ts'
import { looksLikeNorma43, readNorma43 } from './norma43.ts'
import { looksLikeOfx, readOfx } from './ofx.ts'
import { type RememberedMappings, readCsv } from './read-csv.ts'
import type { RawStatement, Statement } from './statement.ts'

export interface ReadStatementOptions {
  /** Mappings that the user gave for unknown layouts, by layout key. */
  remembered?: RememberedMappings
  /** The account the file is imported into, for files that do not name one. */
  account?: string | null
}

/**
 * Reads a bank statement of any known format; the format is found from the content, never from the file name. Never
 * fails: what cannot be read is in `errors`, in Spanish and with its line.
 */
export function readStatement(bytes: Uint8Array, options: ReadStatementOptions = {}): Statement {
  const raw = readText(bytes, options.remembered)
  return { ...raw, movements: withFingerprints(raw.movements, options.account ?? null) }
}

function readText(bytes: Uint8Array, remembered: RememberedMappings | undefined): RawStatement {
  if (isBinary(bytes)) {
    return nothing(
      'unknown_format',
      'El fichero no es de texto: descargue el extracto como CSV, Norma 43, OFX o CAMT.053.',
    )
  }
  const text = decodeText(bytes)
  if (text.trim() === '') return nothing('empty_file', 'El fichero está vacío.')
  if (looksLikeNorma43(text)) return readNorma43(text)
  if (looksLikeOfx(text)) return readOfx(text)
  if (looksLikeCamt053(text)) return readCamt053(text)
  if (/^\s*(<\?xml|<!DOCTYPE|<[A-Za-z])/.test(text)) return nothing('unknown_format', 'El XML no es OFX ni CAMT.053.')
  return readCsv(text, remembered)
}

/** Zero bytes are in no text but UTF-16, which begins with its mark; spreadsheets and PDFs have their own. */
function isBinary(bytes: Uint8Array): boolean {
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const head = String.fromCharCode(...bytes.subarray(0, 4))
  return !marked && (head.startsWith('PK') || head === '%PDF' || bytes.subarray(0, 4096).includes(0))
}

const nothing = (code: RawStatement['errors'][number]['code'], message: string): RawStatement => ({
  format: null,
  bank: null,
  movements: [],
  errors: [{ line: null, code, message }],
  mappingRequest: null,
})
