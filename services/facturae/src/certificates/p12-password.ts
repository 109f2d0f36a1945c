/** The bytes of a password, as the two families of algorithms want them. */
export interface PasswordBytes {
  /** RFC 7292 appendix B: UTF-16BE and a closing zero; the legacy PBE and the MAC. */
  bmp: Buffer
  /** PBES2 and PBMAC1: UTF-8. */
  utf8: Buffer
}

/**
 * The readings of a password to try, likeliest first. More than one only where programs differ: a password outside
 * ASCII (composed or decomposed, UTF-8 or Latin-1 taken for characters by older OpenSSL) and the empty one (with or without
 * the closing zero).
 */
export function passwordReadings(password: string): PasswordBytes[] {
  if (password === '') return [reading('', ''), { bmp: Buffer.alloc(0), utf8: Buffer.alloc(0) }]
  const readings: PasswordBytes[] = [reading(password, password)]
  if (isAscii(password)) return readings
  const composed = password.normalize('NFC')
  if (composed !== password) readings.push(reading(composed, composed))
  const bytesAsCharacters = Buffer.from(composed, 'utf8').toString('latin1')
  readings.push({ bmp: bmpBytes(bytesAsCharacters), utf8: Buffer.from(composed, 'latin1') })
  return readings
}

const isAscii = (text: string): boolean => Buffer.byteLength(text, 'utf8') === text.length

const reading = (bmp: string, utf8: string): PasswordBytes => ({
  bmp: bmpBytes(bmp),
  utf8: Buffer.from(utf8, 'utf8'),
})

function bmpBytes(text: string): Buffer {
  const bytes = Buffer.from(`${text}\0`, 'utf16le')
  return bytes.swap16()
}
