import { task } from '@asiento/chassis/worker-task'
import writeExcelFile, { type SheetData } from 'write-excel-file/node'
import type { CellValue } from './export-table.ts'

export interface SheetTask {
  header: string[]
  rows: CellValue[][]
}

/** Makes a workbook of one sheet; amounts stay numbers. */
export default task(async ({ header, rows }: SheetTask): Promise<Uint8Array> => {
  const data: SheetData = [header.map((value) => ({ value, fontWeight: 'bold' as const })), ...rows]
  return writeExcelFile(data, { stickyRowsCount: 1 }).toBuffer()
})
