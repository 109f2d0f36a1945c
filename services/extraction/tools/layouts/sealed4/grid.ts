import type { Pen } from './pen.ts'

/** A page of a line printer: rows and columns count from 0. */
export interface Grid {
  at: (row: number, column: number, text: string) => void
  /** Ends before the column. */
  to: (row: number, column: number, text: string) => void
  /** Prints every row as one run with its blanks. */
  print: (pen: Pen, place: { x: number; y: number; pitch: number; size: number }) => void
}

export function makeGrid(columns: number): Grid {
  const rows: string[][] = []
  const at = (row: number, column: number, text: string): void => {
    while (rows.length <= row) rows.push(Array.from({ length: columns }, () => ' '))
    for (const [index, sign] of [...text].entries()) {
      const line = rows[row]
      if (line !== undefined && column + index < columns) line[column + index] = sign
    }
  }
  return {
    at,
    to: (row, column, text) => at(row, column - [...text].length, text),
    print: (pen, { x, y, pitch, size }) => {
      for (const [index, row] of rows.entries()) {
        const text = row.join('').trimEnd()
        if (text !== '') pen.say(x, y + index * pitch, text, { size })
      }
    },
  }
}

/** Capitals without accents, as old character sets have them. */
export const ebcdic = (text: string): string =>
  [...text.toUpperCase()]
    .map((sign) => ('ÑÇºªØ'.includes(sign) ? sign : sign.normalize('NFKD').replace(/[^\x20-\x7e]/g, '')))
    .join('')
