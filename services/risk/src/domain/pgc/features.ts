import { lexicon } from './lexicon.ts'
import { stems } from './words.ts'

/** How many weights an account has; texts are hashed into so many places. */
export const featureCount = 16384

/**
 * What the learned model sees of a purchase: places of its words, neighbouring words, pieces of words and the words that
 * stand first, each once, and how much it costs. `totalCents` is signed; null where unknown.
 */
export function features(vendorName: string, lines: readonly string[], totalCents: number | null): Uint16Array {
  const places = new Set<number>()
  spread(places, 'v', stems(vendorName.slice(0, 200), keep))
  for (const line of lines) spread(places, 'l', stems(line.slice(0, 400), keep))
  if (totalCents !== null && places.size > 0) spreadAmount(places, totalCents)
  return Uint16Array.from(places)
}

/** Single letters and bare numbers say nothing; a misread word is mended where the lexicon knows what it was. */
const keep = (word: string): string | null =>
  word.length < 2 || /^\d+$/.test(word) ? null : (lexicon().mended(word) ?? word)

function spread(places: Set<number>, kind: 'v' | 'l', words: readonly string[]): void {
  for (const [index, word] of words.entries()) {
    if (/^\d+$/.test(word)) continue
    places.add(place(`${kind}${word}`))
    places.add(place(`w${word}`))
    const next = words[index + 1]
    if (next !== undefined) places.add(place(`${kind}${word} ${next}`))
    // The head of a Spanish noun phrase stands first.
    if (index === 0) {
      places.add(place(`${kind}h${word}`))
      places.add(place(`${kind}h^${word.slice(0, 5)}`))
    }
    const padded = `^${word}$`
    for (let start = 0; start + 4 <= padded.length; start += 1)
      places.add(place(`${kind}#${padded.slice(start, start + 4)}`))
  }
}

/** Half powers of ten of euros, and whether it is more than 3,000 € and 20,000 €: nobody buys a nave for 100 €. */
function spreadAmount(places: Set<number>, totalCents: number): void {
  const sign = totalCents < 0 ? '-' : ''
  const cents = Math.abs(totalCents)
  places.add(place(`amount${sign}${Math.floor(2 * Math.log10(Math.max(1, cents / 100)))}`))
  places.add(place(`amount${sign}>${cents > 300_000}`))
  places.add(place(`amount${sign}>>${cents > 2_000_000}`))
}

/** FNV-1a. */
function place(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash ^ (hash >>> 15)) & (featureCount - 1)
}
