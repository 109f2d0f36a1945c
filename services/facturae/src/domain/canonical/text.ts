/**
 * Writing XML in its canonical form (Canonical XML 1.0 inclusive, without comments) from the start: no self-closing
 * tags, no blanks between elements, and the four escapes below. What is written here is what a signer digests.
 */
const special = /[&<>\r]/
const specials = /[&<>\r]/g
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' }

/** Text content, escaped as C14N writes it. */
export const escapeText = (text: string): string =>
  special.test(text) ? text.replace(specials, (sign) => escapes[sign] ?? sign) : text

/** An element with text. */
export const element = (name: string, text: string): string => `<${name}>${escapeText(text)}</${name}>`

/** An element with text, or nothing when there is none. */
export const optional = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `<${name}>${escapeText(text)}</${name}>`

/** An element around content that is XML already. */
export const wrap = (name: string, content: string): string => `<${name}>${content}</${name}>`

/** An element around content, or nothing when the content is empty. */
export const wrapOptional = (name: string, content: string): string => (content === '' ? '' : wrap(name, content))

/** What is written of a value, or nothing when there is none. */
export const given = <T>(value: T | undefined, write: (value: T) => string): string =>
  value === undefined ? '' : write(value)

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/**
 * The characters that XML 1.0 cannot hold at all, lone surrogates, and the carriage return, which parsers turn into a
 * line feed so that a signature over it would not hold.
 */
/** Without surrogates, which the slow look judges in pairs. */
const plain = /^[\t\n\u0020-\uD7FF\uE000-\uFFFD]*$/
const forbidden = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

/** The first character that a text may not have, as `U+000D`; null when there is none. */
export function forbiddenCharacter(text: string): string | null {
  if (plain.test(text)) return null
  const match = forbidden.exec(text)
  if (match === null) return null
  return `U+${(match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
