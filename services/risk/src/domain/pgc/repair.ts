/**
 * Mends words that a scan or a keyboard got wrong: `IBERDR0LA`, `consurnida`, `alqiler`. Only towards words that the
 * lexicon knows, only by one sign, and never a word that is known as it stands.
 *
 * @returns a function that answers the known word, or null where there is none or more than one
 */
export function repairer(
  vocabulary: ReadonlySet<string>,
  mendable: ReadonlySet<string> = vocabulary,
): (word: string) => string | null {
  const byDeletion = new Map<string, string | null>()
  for (const known of mendable) {
    if (known.length < 6 || /\d/.test(known)) continue
    for (const shortened of deletions(known)) remember(byDeletion, shortened, known)
    remember(byDeletion, known, known)
  }
  return (word) => {
    if (vocabulary.has(word)) return word
    const misread = misreadings(word).find((candidate) => vocabulary.has(candidate))
    if (misread !== undefined) return misread
    if (word.length < 6 || /\d/.test(word)) return null
    const longer = byDeletion.get(word)
    if (longer != null && longer[0] === word[0] && !longer.startsWith(word)) return longer
    for (const shortened of deletions(word)) {
      if (mendable.has(shortened) && shortened.length >= 6 && shortened[0] === word[0]) return shortened
      const near = byDeletion.get(shortened)
      if (near != null && near.length >= 7 && near.length === word.length && near.slice(0, 2) === word.slice(0, 2)) {
        return near
      }
    }
    return null
  }
}

function remember(map: Map<string, string | null>, key: string, word: string): void {
  const present = map.get(key)
  map.set(key, present === undefined || present === word ? word : null)
}

const deletions = (word: string): string[] =>
  Array.from({ length: word.length }, (_, index) => word.slice(0, index) + word.slice(index + 1))

/** Confusions of optical character recognition. */
function misreadings(word: string): string[] {
  const digits = /\d/.test(word) && /[a-z]{3}/.test(word)
  return [
    ...(digits ? [swap(word, { 0: 'o', 1: 'l', 5: 's', 8: 'b' }), swap(word, { 0: 'o', 1: 'i', 5: 's', 3: 'e' })] : []),
    word.replace(/rn/g, 'm'),
    word.replace(/vv/g, 'w'),
    word.replace(/cl/g, 'd'),
    word.replace(/ii/g, 'n'),
  ].filter((candidate) => candidate !== word)
}

const swap = (word: string, signs: Record<string, string>): string =>
  word.replace(/\d/g, (digit) => signs[digit] ?? digit)
