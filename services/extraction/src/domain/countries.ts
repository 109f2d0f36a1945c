import { fold } from './text.ts'

/** Names of states that invoices from abroad bear, in their own languages, Spanish and English; ISO 3166-1 alpha-3. */
const names: Readonly<Record<string, readonly string[]>> = {
  IRL: ['ireland', 'irlanda', 'republic of ireland', 'eire'],
  LUX: ['luxembourg', 'luxemburgo', 'luxemburg'],
  DEU: ['germany', 'deutschland', 'alemania', 'alemanya'],
  FRA: ['france', 'francia', 'franca'],
  ITA: ['italy', 'italia'],
  PRT: ['portugal'],
  NLD: ['netherlands', 'the netherlands', 'nederland', 'paises bajos', 'holanda', 'paisos baixos'],
  BEL: ['belgium', 'belgique', 'belgie', 'belgica'],
  GBR: ['united kingdom', 'uk', 'reino unido', 'great britain', 'england', 'inglaterra', 'scotland', 'regne unit'],
  USA: ['united states', 'united states of america', 'usa', 'estados unidos', 'ee uu', 'eeuu'],
  CHE: ['switzerland', 'suiza', 'schweiz', 'suisse'],
  AUT: ['austria', 'osterreich'],
  POL: ['poland', 'polska', 'polonia'],
  SWE: ['sweden', 'sverige', 'suecia'],
  DNK: ['denmark', 'danmark', 'dinamarca'],
  NOR: ['norway', 'norge', 'noruega'],
  FIN: ['finland', 'suomi', 'finlandia'],
  CZE: ['czech republic', 'czechia', 'republica checa', 'chequia'],
  HUN: ['hungary', 'hungria'],
  ROU: ['romania', 'rumania'],
  BGR: ['bulgaria'],
  EST: ['estonia', 'eesti'],
  LTU: ['lithuania', 'lituania', 'lietuva'],
  LVA: ['latvia', 'letonia'],
  MLT: ['malta'],
  CYP: ['cyprus', 'chipre'],
  GRC: ['greece', 'grecia', 'hellas'],
  HRV: ['croatia', 'croacia'],
  SVN: ['slovenia', 'eslovenia'],
  SVK: ['slovakia', 'eslovaquia'],
  AND: ['andorra', 'principat d andorra', 'principado de andorra'],
  MAR: ['morocco', 'marruecos', 'maroc'],
  CHN: ['china'],
  CAN: ['canada'],
  ISR: ['israel'],
  SGP: ['singapore', 'singapur'],
}

const codes = new Map(Object.entries(names).flatMap(([code, all]) => all.map((name) => [name, code] as const)))

const lastWords = new Set([...codes.keys()].map((name) => name.split(' ').at(-1) ?? name))

/** False for a word (folded) that no name of a state ends with, which saves looking further. */
export const mayEndCountry = (word: string): boolean => lastWords.has(word)

/** The code of the state that a text names, alone; null for Spain and for what is no state. */
export const foreignCountry = (text: string): string | null =>
  codes.get(
    fold(text)
      .replace(/[^a-z]+/g, ' ')
      .trim(),
  ) ?? null
