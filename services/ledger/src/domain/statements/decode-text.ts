/**
 * The text of a file: UTF-8 and UTF-16 by their marks, else UTF-8 where it is valid, else Windows-1252 (which is Latin-1
 * with the euro sign). Lines that were encoded twice (`MÃ¡s datos`, as CaixaBank exports them) are repaired, and line
 * ends become `\n`.
 */
export function decodeText(bytes: Uint8Array): string {
  const text = decodeBytes(bytes)
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
  return text.includes('Ã') || text.includes('Â') || text.includes('â‚¬')
    ? text.split('\n').map(repairLine).join('\n')
    : text
}

/** Windows-1252 the other way round: sign → byte. */
const byteOfSign = new Map(
  Array.from({ length: 256 }, (_, byte) => [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte]),
)

function decodeBytes(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return decodeUtf8(bytes) ?? new TextDecoder('windows-1252').decode(bytes)
}

/** A line is repaired only if all of it, read as bytes, is valid UTF-8: a real `Ã` followed by a letter is not. */
function repairLine(line: string): string {
  const bytes = Array.from(line, (sign) => byteOfSign.get(sign))
  if (!bytes.every((byte) => byte !== undefined)) return line
  return decodeUtf8(Uint8Array.from(bytes)) ?? line
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
