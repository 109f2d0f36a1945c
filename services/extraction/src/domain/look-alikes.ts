/** The digit that recognition most likely took for a capital letter, where check digits can tell whether it did. */
export const likeliestDigit: Readonly<Record<string, string>> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  S: '5',
  B: '8',
  Z: '2',
  G: '6',
  T: '7',
  A: '4',
}
