import type { Chance } from '../chance.ts'
import { addUp, type Doc } from '../document.ts'
import { day, eur, num } from '../html.ts'

/** Lines of a document in the order in which it prints them; `ref` is whatever its layout prints beside a line. */
export interface Charge {
  text: string
  quantity?: number
  price: number
  rate?: number
  discount?: number
  ref?: string
}

/** Gives a document these lines and takes its sums anew. */
export function charge(doc: Doc, rows: readonly Charge[], surcharge = false): void {
  doc.lines = rows.map(({ text, quantity = 1, price, rate = 21, discount = 0, ref = '' }) => {
    const value = (quantity * price * (100 - discount)) / 100
    const cents = Math.sign(value) * Math.round(Number((Math.abs(value) * 100).toFixed(6)))
    return { ref, text, quantity, price, discount, rate, cents }
  })
  addUp(doc, surcharge)
}

/** A price between two, in whole steps. */
export const between = (chance: Chance, from: number, to: number, places = 2): number =>
  Number((from + (to - from) * chance.next()).toFixed(places))

/** Some of the choices, in their order. */
export const some = <T>(chance: Chance, choices: readonly T[], from: number, to = choices.length): T[] => {
  const left = [...choices]
  const count = chance.int(from, Math.min(to, choices.length))
  while (left.length > count) left.splice(chance.int(0, left.length - 1), 1)
  return left
}

const units = [
  '',
  'uno',
  'dos',
  'tres',
  'cuatro',
  'cinco',
  'seis',
  'siete',
  'ocho',
  'nueve',
  'diez',
  'once',
  'doce',
  'trece',
  'catorce',
  'quince',
  'dieciséis',
  'diecisiete',
  'dieciocho',
  'diecinueve',
  'veinte',
  'veintiuno',
  'veintidós',
  'veintitrés',
  'veinticuatro',
  'veinticinco',
  'veintiséis',
  'veintisiete',
  'veintiocho',
  'veintinueve',
  'treinta',
  'treinta y uno',
]
const roman = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII']
const basque = [
  'urtarrilaren',
  'otsailaren',
  'martxoaren',
  'apirilaren',
  'maiatzaren',
  'ekainaren',
  'uztailaren',
  'abuztuaren',
  'irailaren',
  'urriaren',
  'azaroaren',
  'abenduaren',
]
const weekdays = ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado']

/** Dates that `day` does not write. */
export function date(
  iso: string | null,
  way: 'roman' | 'words' | 'basque' | 'weekday' | 'short' | 'english' | 'upper',
): string {
  if (iso === null) return ''
  const [y = '', m = '', d = ''] = iso.split('-')
  const at = Number(m) - 1
  const month = day(iso, 'es').split(' ')[2] ?? ''
  if (way === 'roman') return `${Number(d)}-${roman[at]}-${y}`
  if (way === 'words') return `${units[Number(d)]} de ${month} de dos mil ${units[Number(y) - 2000]}`
  if (way === 'basque') return `${y}${y.endsWith('5') ? 'eko' : 'ko'} ${basque[at]} ${Number(d)}a`
  if (way === 'weekday')
    return `${weekdays[new Date(`${iso}T00:00:00Z`).getUTCDay()]}, ${Number(d)} de ${month} de ${y}`
  if (way === 'short') return `${Number(d)} ${month.slice(0, 3)}. ${y}`
  if (way === 'upper') return `${d}-${month.slice(0, 3).toUpperCase()}-${y.slice(2)}`
  return `${Number(d)} ${day(iso, 'en').split(' ')[0]} ${y}`
}

/** `125,00-` of programs that put the minus behind. */
export const minusLast = (cents: number): string => (cents < 0 ? `${eur(-cents)}-` : eur(cents))
/** `1'234.56`. */
export const apostrophe = (value: number, places = 2): string => num(value, places, 'dot').replace(/,/g, "'")
/** `1234.56`. */
export const bare = (value: number, places = 2): string => value.toFixed(places)

/** Something that looks like the code of a verifiable invoice, which it is not. */
export function qr(chance: Chance, side = '24mm'): string {
  const cells = Array.from({ length: 441 }, (_, at) => {
    const x = at % 21
    const y = Math.floor(at / 21)
    return chance.yes(0.48) ? `<rect x="${x}" y="${y}" width="1" height="1"/>` : ''
  })
  return `<svg viewBox="0 0 21 21" style="width:${side};height:${side}">${cells.join('')}</svg>`
}
