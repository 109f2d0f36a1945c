import { stopWords } from './address-words.ts'
import type { Token } from './layout.ts'

/**
 * Names that contain what elsewhere is an address or a legal form: communities of owners are called by their street
 * (`C.P. Edificio Las Torres`, `Cdad. Prop. C/ Mayor, 12`), cooperatives begin with what they are (`Sdad. Coop. Campo de
 * Níjar`).
 */

const community =
  /^(?:c\.? ?c?\.?p\.?p?|(?:sub|man)?comunidad|comunitat|cdad|cmdad|com|cdat)\.? (?:de |d')?(?:prop(?:s|ietari[oae]?s?|iet)?|copropietarios|vecinos|ve[iï]ns|garajes?|usuarios|regantes|bienes)\b/
const shortCommunity = /^c\.? ?c?\.? ?p\.?p?\.? \p{L}/u
const forms =
  /^(?:s|sdad|soc|sociedad|societat|sociedade|coop|cooperativa|and|cat|v|mad|gal|galega|ltda|agraria|agrupacion|c|sat|ute|scc|s coop)$/

/** Index after the last sign of a name of this kind that begins at a token, where no address begins; 0 without one. */
export function institutionEnd(row: readonly Token[], from: number): number {
  const start = communityEnd(row, from) || formEnd(row, from)
  if (start === 0) return 0
  // the name goes on to the first comma behind a word of its own
  for (let index = start; index < row.length; index += 1) {
    const token = row[index]
    if (token === undefined) break
    if (index > start && /^[·•|—–/-]$/.test(token.text)) return index
    if (/[,;]$/.test(token.text) && !/^\d/.test(row[index + 1]?.text ?? '')) return index + 1
    if (/^\(?\d{5}/.test(token.text) || stopWords.has(token.bare)) return index
  }
  return row.length
}

function communityEnd(row: readonly Token[], from: number): number {
  const words = row
    .slice(from, from + 4)
    .map((token) => token.text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, ''))
  const text = words.join(' ')
  const found = community.exec(text)
  if (found !== null) return from + found[0].trim().split(' ').length
  // `C.P. Las Torres`, but not `C.P. 28001` nor `CP Madrid`
  if (shortCommunity.test(text) && /^C\.? ?C?\.? ?P\.?P?\.$/.test(row[from]?.text ?? '')) return from + 1
  return 0
}

/** After the words of a form that a name begins with: at least two, or one that is not a word on its own. */
function formEnd(row: readonly Token[], from: number): number {
  let index = from
  while (index < row.length && forms.test(row[index]?.bare ?? '')) index += 1
  const opened = index - from
  if (opened === 0 || index >= row.length || !/^\p{Lu}/u.test(row[index]?.text ?? '')) return 0
  return opened >= 2 || /^(?:sdad|sat|ute)$/.test(row[from]?.bare ?? '') ? index : 0
}

/** What people do, printed under their names. */
export const tradeLine =
  /^(?:abogad|procurador|notari|registrador|arquitect|aparejador|ingenier|enginyer|fisioterap|dentist|odont[oó]log|m[eé]dic|metge|psic[oó]log|veterinari|fontaner|electricist|lampist|asesor|assessor|gestor|economist|graduad|dise[nñ]|dissen|fot[oó]graf|traduct|int[eé]rpret|taller|carpinter|fuster|peluquer|aut[oó]nom|empresari|administrador|consultor|delineante|pintor|alba[nñ]il|m[uú]sic|profesor|colegiad|col-legiad)/i
