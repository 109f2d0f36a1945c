import type { Doc, Line } from './document.ts'

/** What layouts share: numbers and dates as printed, and tables. */

export const safe = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** `1.234,56`; `plain` leaves the thousands out, `blank` puts blanks between them, `dot` is the English way. */
export function num(value: number, places = 2, way: 'es' | 'plain' | 'blank' | 'dot' = 'es'): string {
  const [whole = '0', fraction] = Math.abs(value).toFixed(places).split('.')
  const between = { es: '.', plain: '', blank: ' ', dot: ',' }[way]
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, between)
  const text = fraction === undefined ? grouped : `${grouped}${way === 'dot' ? '.' : ','}${fraction}`
  return value < 0 ? `-${text}` : text
}
export const eur = (cents: number, way: 'es' | 'plain' | 'blank' | 'dot' = 'es'): string => num(cents / 100, 2, way)

/** As many decimals as the number has, at least `least`. */
export const loose = (value: number, least = 0): string =>
  num(value, Math.max(least, String(value).split('.')[1]?.length ?? 0))
export const pct = (value: number): string => loose(value)

const months = {
  es: [
    'enero',
    'febrero',
    'marzo',
    'abril',
    'mayo',
    'junio',
    'julio',
    'agosto',
    'septiembre',
    'octubre',
    'noviembre',
    'diciembre',
  ],
  ca: [
    'gener',
    'febrer',
    'març',
    'abril',
    'maig',
    'juny',
    'juliol',
    'agost',
    'setembre',
    'octubre',
    'novembre',
    'desembre',
  ],
  gl: [
    'xaneiro',
    'febreiro',
    'marzo',
    'abril',
    'maio',
    'xuño',
    'xullo',
    'agosto',
    'setembro',
    'outubro',
    'novembro',
    'decembro',
  ],
  en: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
}

/** A date by its pattern: `d/m/y`, `d-m-yy`, `d.m.y`, `iso`, `es`, `ca`, `gl`, `en`, `abbr`. */
export function day(iso: string, pattern: string): string {
  const [y = '', m = '', d = ''] = iso.split('-')
  const at = Number(m) - 1
  if (pattern === 'iso') return iso
  if (pattern === 'es') return `${Number(d)} de ${months.es[at]} de ${y}`
  if (pattern === 'ca')
    return `${Number(d)} ${/^[ao]/.test(months.ca[at] ?? '') ? "d'" : 'de '}${months.ca[at]} de ${y}`
  if (pattern === 'gl') return `${Number(d)} de ${months.gl[at]} de ${y}`
  if (pattern === 'en') return `${months.en[at]} ${Number(d)}, ${y}`
  if (pattern === 'abbr') return `${d}-${months.es[at]?.slice(0, 3)}-${y}`
  return pattern.replace(/yy|y|m|d/g, (part) => ({ yy: y.slice(2), y, m, d })[part] ?? part)
}

export const spaced = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')
export const ibanOf = (doc: Doc): string =>
  doc.iban === null
    ? ''
    : doc.masked
      ? `${doc.iban.slice(0, 4)} **** **** **** **** ${doc.iban.slice(-4)}`
      : spaced(doc.iban)

export interface Column {
  head: string
  cell: (line: Line, index: number) => string
  left?: boolean
  width?: string
}

/** A table of the lines; `id` is the class that its styles name. */
export function lineTable(
  doc: Doc,
  columns: readonly Column[],
  id = 'lines',
  lines: readonly Line[] = doc.lines,
): string {
  const side = (column: Column) =>
    `${column.left ? 'l' : 'r'}"${column.width === undefined ? '' : ` style="width:${column.width}"`}`
  return `<table class="${id}"><thead><tr>${columns.map((column) => `<th class="${side(column)}>${column.head}</th>`).join('')}</tr></thead><tbody>${lines
    .map(
      (line, index) =>
        `<tr>${columns.map((column) => `<td class="${side(column)}>${column.cell(line, index)}</td>`).join('')}</tr>`,
    )
    .join('')}</tbody></table>`
}

export function page(style: string, body: string, size = 'A4'): string {
  return `<!doctype html><meta charset="utf-8"><style>@page{size:${size};margin:14mm 14mm}*{box-sizing:border-box}body{margin:0;font:9.5pt Arial,sans-serif}table{border-collapse:collapse;width:100%}td,th{padding:2px 4px;vertical-align:top}.l{text-align:left}.r{text-align:right}.two{display:flex;justify-content:space-between;gap:8mm}.b{font-weight:bold}tr{break-inside:avoid}${style}</style><body>${body}`
}
