import type { Content, TableCell } from 'pdfmake/interfaces.js'
import type { Line } from '../document.ts'
import { eur } from '../html.ts'

/** A cell of figures. */
export const right = (text: string, bold = false): TableCell => ({ text, alignment: 'right', bold, noWrap: true })
/** The names of columns, the first `left` of them at the left. */
export const heads = (texts: readonly string[], left: number): TableCell[] =>
  texts.map((text, index) => ({ text, bold: true, alignment: index < left ? 'left' : 'right', fillColor: '#e4e8ee' }))
const wide = (columns: number, text: string, value: string): TableCell[] => [
  { text, colSpan: columns - 1, alignment: 'right', italics: true },
  ...Array.from({ length: columns - 2 }, () => ''),
  { text: value, alignment: 'right', italics: true },
]
const sum = (lines: readonly Line[]): number => lines.reduce((all, line) => all + line.cents, 0)

interface Carried {
  lines: readonly Line[]
  perPage: number
  heads: readonly string[]
  widths: (string | number)[]
  row: (line: Line, index: number) => TableCell[]
  words: readonly [carried: string, brought: string]
  money?: (cents: number) => string
}

/** One table a page, with what is carried over at its foot and at the next one's head. */
export function carriedTables({ lines, perPage, heads: names, widths, row, words, money = eur }: Carried): Content[] {
  const pages: Content[] = []
  for (let start = 0; start < lines.length; start += perPage) {
    const end = start + perPage
    const more = end < lines.length
    const body = [
      heads(names, 2),
      ...(start === 0 ? [] : [wide(names.length, words[1], money(sum(lines.slice(0, start))))]),
      ...lines.slice(start, end).map((line, index) => row(line, start + index)),
      ...(more ? [wide(names.length, words[0], money(sum(lines.slice(0, end))))] : []),
    ]
    pages.push({
      table: { headerRows: 1, widths, body },
      layout: 'lightHorizontalLines',
      margin: [0, 10, 0, 10],
      ...(more ? { pageBreak: 'after' } : {}),
    })
  }
  return pages
}
