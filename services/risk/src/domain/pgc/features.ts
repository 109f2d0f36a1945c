import { stems } from './words.ts'

/** How many weights an account has; texts are hashed into so many places. */
export const featureCount = 8192

/** What the learned model sees of a purchase: places of its words, neighbouring words and pieces of words, each once. */
export function features(vendorName: string, lines: readonly string[]): Uint16Array {
  const places = new Set<number>()
  spread(places, 'v', stems(vendorName.slice(0, 200), keep))
  for (const line of lines) spread(places, 'l', stems(line.slice(0, 400), keep))
  return Uint16Array.from(places)
}

/** Single letters and bare numbers say nothing. */
const keep = (word: string): string | null => (word.length < 2 || /^\d+$/.test(word) ? null : word)

function spread(places: Set<number>, kind: 'v' | 'l', words: readonly string[]): void {
  for (const [index, word] of words.entries()) {
    if (/^\d+$/.test(word)) continue
    places.add(place(`${kind}${word}`))
    places.add(place(`w${word}`))
    const next = words[index + 1]
    if (next !== undefined) places.add(place(`${kind}${word} ${next}`))
    if (index === 0 && kind === 'l') places.add(place(`f${word}`))
    const padded = `^${word}$`
    for (let start = 0; start + 4 <= padded.length; start += 1)
      places.add(place(`${kind}#${padded.slice(start, start + 4)}`))
  }
}

/** FNV-1a. */
function place(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash ^ (hash >>> 15)) & (featureCount - 1)
}
