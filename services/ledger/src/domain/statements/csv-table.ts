import { parse } from 'csv-parse/sync'

export const delimiters = [';', '\t', '|', ','] as const
export type Delimiter = (typeof delimiters)[number]

export interface CsvRow {
  /** From 1. */
  line: number
  cells: string[]
}

const bytesPreviewed = 64 * 1024

/** The rows of a CSV with their line numbers; cells are trimmed. Stray quotes are taken as signs. Never fails. */
export function csvRows(text: string, delimiter: Delimiter): CsvRow[] {
  const options = { delimiter, info: true, relax_column_count: true, relax_quotes: true, trim: true } as const
  const read = (quote: string | false): CsvRow[] => {
    const records = parse(text, { ...options, quote }) as unknown as { info: { lines: number }; record: string[] }[]
    return records.map(({ info, record }) => ({ line: info.lines, cells: record }))
  }
  try {
    return read('"')
  } catch {
    return read(false)
  }
}

/** The first rows only, for finding out what a file is. */
export function csvPreview(text: string, delimiter: Delimiter): CsvRow[] {
  const cut = text.length <= bytesPreviewed ? text : text.slice(0, text.lastIndexOf('\n', bytesPreviewed))
  return csvRows(cut, delimiter).slice(0, 60)
}
