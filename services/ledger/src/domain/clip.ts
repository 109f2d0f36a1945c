/**
 * The beginning of a text, as it can be stored and hashed: a surrogate pair that the cut splits is replaced, NUL is left
 * out.
 */
export const clip = (text: string, charsMax: number): string =>
  text.replaceAll('\0', '').slice(0, charsMax).toWellFormed()
