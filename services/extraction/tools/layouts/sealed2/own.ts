import type { Chance } from '../chance.ts'
import type { Doc } from '../document.ts'
import { day } from '../html.ts'
import type { Party } from '../party.ts'

/** What these layouts print their own way: names, addresses, tax ids, dates. */

const towns: readonly (readonly [string, string, string])[] = [
  ['32', 'Ourense', 'Ourense'],
  ['25', 'Lleida', 'Lleida'],
  ['10', 'Plasencia', 'Cáceres'],
  ['21', 'Huelva', 'Huelva'],
  ['46', 'Sagunto', 'Valencia'],
  ['20', 'Irun', 'Gipuzkoa'],
  ['03', 'Benidorm', 'Alicante'],
  ['08', 'Vilafranca del Penedès', 'Barcelona'],
  ['28', 'Las Rozas de Madrid', 'Madrid'],
  ['04', 'Roquetas de Mar', 'Almería'],
  ['09', 'Aranda de Duero', 'Burgos'],
  ['44', 'Teruel', 'Teruel'],
]
const streets: readonly ((chance: Chance) => string)[] = [
  (chance) => `Rúa do Franco, ${chance.int(2, 60)} baixo`,
  (chance) => `Carrer Balmes ${chance.int(11, 390)}, 3r 2a`,
  (chance) => `Camino Viejo de Simancas, km ${chance.int(2, 9)}`,
  (chance) => `Polígono Industrial El Segre, parcela ${chance.int(10, 180)}`,
  (chance) => `Travesía de los Olmos, ${chance.int(1, 19)}`,
  (chance) => `Glorieta de Bilbao ${chance.int(1, 9)}, 2º D`,
  (chance) => `Urb. Los Rosales, ${chance.int(3, 88)}`,
  (chance) => `Parque Tecnológico, Edificio ${chance.int(101, 610)}`,
  (chance) => `Costanilla de San Andrés, ${chance.int(2, 30)}`,
  (chance) => `Vía Complutense, ${chance.int(20, 140)} local ${chance.int(1, 4)}`,
  (chance) => `Barrio Ergoien, ${chance.int(2, 40)}`,
  (chance) => `Bulevar Adolfo Suárez ${chance.int(4, 71)}`,
]
const givenNames = [
  'Hnos. Pastor',
  'Bidasoa',
  'Sucesores de Roig',
  'La Espiga',
  'Tresmares',
  'Duero Sur',
  'Arandaluz',
  'Vda. de Ugarte',
  'Peña Corada',
  'Miravet 2010',
  'Onubense',
  'Pedro Lobato',
  'del Ter',
  'Monfragüe',
]

/** Another name and address for a party; the legal form fits the letter of its tax id. */
export function rename(party: Party, chance: Chance, trades: readonly string[]): void {
  const forms: Record<string, readonly string[]> = {
    A: [' S.A.', ', S.A.', ' SOCIEDAD ANÓNIMA'],
    B: [' S.L.', ', S.L.', ' SLU', ', S.L.L.', ' SOC. LTDA.'],
    E: [' C.B.'],
    F: [' S. COOP.'],
  }
  const form = forms[party.vat.charAt(0)]
  if (form !== undefined && !party.person) {
    const core = `${chance.pick(trades)} ${chance.pick(givenNames)}`
    party.name = `${chance.yes(0.5) ? core.toUpperCase() : core}${chance.pick(form)}`
  }
  moveTo(party, chance)
}

export function moveTo(party: Party, chance: Chance): void {
  const [prefix, city, province] = chance.pick(towns)
  party.street = chance.pick(streets)(chance)
  party.postal = `${prefix}${String(chance.int(1, 499)).padStart(3, '0')}`
  party.city = city
  party.province = province
}

/** `B-12345678` and `12345678-Z`; `dots`: `B-12.345.678` and `12.345.678-Z`; `blank`: `B 12345678`. */
export function taxId(vat: string, way: 'dash' | 'dots' | 'blank' | 'es'): string {
  if (way === 'es') return `ES-${vat}`
  const sign = way === 'blank' ? ' ' : '-'
  const grouped = (digits: string) => (way === 'dots' ? digits.replace(/\B(?=(\d{3})+$)/g, '.') : digits)
  if (/^\d/.test(vat)) return `${grouped(vat.slice(0, 8))}${sign}${vat.slice(8)}`
  if (/^[XYZ]/.test(vat)) return `${vat.charAt(0)}${sign}${vat.slice(1, 8)}${sign}${vat.slice(8)}`
  return `${vat.charAt(0)}${sign}${grouped(vat.slice(1))}`
}

export function buyerOf(doc: Doc): Party {
  if (doc.buyer === null) throw new Error('this layout needs a buyer')
  return doc.buyer
}

/** `3 Apr 2026`. */
export function dayEnglish(iso: string): string {
  const [month = '', date = '', year = ''] = day(iso, 'en').replace(',', '').split(' ')
  return `${date} ${month.slice(0, 3)} ${year}`
}

/** `03-abr-26`. */
export const dayShort = (iso: string): string => day(iso, 'abbr').replace(/-20(\d\d)$/, '-$1')

/** `12,50-` for negative amounts, as some programs print them. */
export const minusBehind = (text: string): string => (text.startsWith('-') ? `${text.slice(1)}-` : text)

export const sumOf = (lines: readonly { cents: number }[]): number => lines.reduce((all, line) => all + line.cents, 0)
