/**
 * RC2 in CBC mode (RFC 2268), decryption only: the certificates of FNMT, Windows and Firefox exports are wrapped in
 * RC2-40, which OpenSSL 3 keeps in a provider that Node does not load.
 *
 * `key` of 1–128 bytes, `effectiveBits` its strength (40, 64 or 128 here), `iv` of 8 bytes. PKCS#7 padding is checked
 * and taken off; null where it is wrong, which means a wrong key or damaged data.
 */
export function decryptRc2Cbc(key: Uint8Array, effectiveBits: number, iv: Uint8Array, data: Uint8Array): Buffer | null {
  if (data.length === 0 || data.length % 8 !== 0) return null
  const schedule = expandKey(key, effectiveBits)
  const out = Buffer.alloc(data.length)
  let previous = iv
  for (let at = 0; at < data.length; at += 8) {
    const block = data.subarray(at, at + 8)
    decryptBlock(schedule, block, out, at)
    for (let i = 0; i < 8; i += 1) out[at + i] = byte(out, at + i) ^ byte(previous, i)
    previous = block
  }
  const padding = byte(out, out.length - 1)
  if (padding < 1 || padding > 8) return null
  const end = out.length - padding
  return out.subarray(end).every((value) => value === padding) ? out.subarray(0, end) : null
}

const byte = (bytes: Uint8Array, index: number): number => bytes[index] ?? 0

function expandKey(key: Uint8Array, effectiveBits: number): Uint16Array {
  const bytes = new Uint8Array(128)
  bytes.set(key)
  for (let i = key.length; i < 128; i += 1) {
    bytes[i] = byte(piTable, (byte(bytes, i - 1) + byte(bytes, i - key.length)) & 0xff)
  }
  const length = Math.ceil(effectiveBits / 8)
  const mask = 0xff >> (8 * length - effectiveBits)
  bytes[128 - length] = byte(piTable, byte(bytes, 128 - length) & mask)
  for (let i = 127 - length; i >= 0; i -= 1) bytes[i] = byte(piTable, byte(bytes, i + 1) ^ byte(bytes, i + length))
  return Uint16Array.from({ length: 64 }, (_, i) => byte(bytes, 2 * i) | (byte(bytes, 2 * i + 1) << 8))
}

/** Rotations of the four words in a mixing round (RFC 2268 section 2). */
const rotations = [1, 2, 3, 5] as const

function decryptBlock(schedule: Uint16Array, block: Uint8Array, out: Uint8Array, at: number): void {
  const words = new Uint16Array(4)
  for (let i = 0; i < 4; i += 1) words[i] = byte(block, 2 * i) | (byte(block, 2 * i + 1) << 8)
  const word = (i: number): number => words[i & 3] ?? 0
  let next = 63
  for (let round = 15; round >= 0; round -= 1) {
    for (let i = 3; i >= 0; i -= 1) {
      const turn = rotations[i] ?? 0
      const mixed = (word(i) >>> turn) | (word(i) << (16 - turn))
      words[i] = mixed - (schedule[next] ?? 0) - (word(i - 1) & word(i - 2)) - (~word(i - 1) & word(i - 3))
      next -= 1
    }
    if (round === 5 || round === 11) {
      for (let i = 3; i >= 0; i -= 1) words[i] = word(i) - (schedule[word(i - 1) & 63] ?? 0)
    }
  }
  for (let i = 0; i < 4; i += 1) {
    out[at + 2 * i] = word(i) & 0xff
    out[at + 2 * i + 1] = word(i) >>> 8
  }
}

/** PITABLE of RFC 2268, from the digits of pi. */
const piTable = Buffer.from(
  'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2179a59f587b34f1361456d8d09817d32' +
    'bd8f40eb86b77b0bf09521225c6b4e8254d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626' +
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed708e8eade8052eef784aa72ac354d6a2a' +
    '961ad2715a1549744b9fd05e0418a4ecc2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731' +
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a90d38341bab33ffb0bb480c5fb9b1cd2e' +
    'c5f3db47e5a59c770aa62068fe7fc1ad',
  'hex',
)
