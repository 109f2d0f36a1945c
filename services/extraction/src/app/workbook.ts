import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import yazl from 'yazl'

export type Cell = string | number | boolean | null

/** Rows of a sheet, as the format sets them (ECMA-376, and Excel); more go onto further sheets. */
const sheetRowsMax = 1_048_576
/** Characters of a cell. */
const textMax = 32_767

export interface Workbook {
  sheetName: string
  header: readonly string[]
  /** Parts of any size; only one is in memory at a time. */
  rows: AsyncIterable<readonly (readonly Cell[])[]>
  modifiedAt: Date
}

/** An XLSX workbook as a stream, for any number of rows in bounded memory; each sheet begins with the header. */
export function streamWorkbook(workbook: Workbook): Readable {
  const zip = new yazl.ZipFile()
  const output = new PassThrough()
  zip.outputStream.pipe(output)
  zip.on('error', (error) => output.destroy(error as Error))
  write(zip, output, workbook).catch((error) => output.destroy(error))
  return output
}

async function write(zip: yazl.ZipFile, output: PassThrough, workbook: Workbook): Promise<void> {
  const options = { mtime: workbook.modifiedAt }
  const parts = createParts(workbook.rows)
  let sheets = 0
  do {
    sheets += 1
    const sheet = Readable.from(sheetXml(workbook.header, parts), { objectMode: false })
    // Nobody reads on where the file cannot be stored.
    output.once('close', () => sheet.destroy())
    zip.addReadStream(sheet, `xl/worksheets/sheet${sheets}.xml`, options)
    await finished(sheet)
  } while (await parts.more())
  for (const [name, xml] of Object.entries(frame(workbook.sheetName, sheets))) {
    zip.addBuffer(Buffer.from(`${xmlHead}${xml}`), name, options)
  }
  zip.end()
}

type Parts = ReturnType<typeof createParts>

/** Hands out rows up to a number, and keeps the rest of a part for the next sheet. */
function createParts(rows: Workbook['rows']) {
  const iterator = rows[Symbol.asyncIterator]()
  let left: readonly (readonly Cell[])[] = []
  const more = async (): Promise<boolean> => {
    while (left.length === 0) {
      const next = await iterator.next()
      if (next.done === true) return false
      left = next.value
    }
    return true
  }
  const take = (count: number) => {
    const taken = left.slice(0, count)
    left = left.slice(count)
    return taken
  }
  return { more, take }
}

async function* sheetXml(header: readonly string[], parts: Parts): AsyncGenerator<string> {
  const letters = header.map((_, index) => columnLetters(index))
  yield `${xmlHead}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`
  yield rowXml(header, 1, letters, ' s="1"')
  for (let row = 2; row <= sheetRowsMax && (await parts.more()); ) {
    const taken = parts.take(sheetRowsMax - row + 1)
    const first = row
    yield taken.map((cells, index) => rowXml(cells, first + index, letters, '')).join('')
    row += taken.length
  }
  yield '</sheetData></worksheet>'
}

function rowXml(cells: readonly Cell[], row: number, letters: readonly string[], style: string): string {
  const written = cells.map((cell, index) => cellXml(cell, `r="${letters[index]}${row}"`, style))
  return `<row r="${row}">${written.join('')}</row>`
}

/** Texts are inline and never formulas. */
function cellXml(cell: Cell, reference: string, style: string): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c ${reference}${style}><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c ${reference} t="b"${style}><v>${cell ? 1 : 0}</v></c>`
  return `<c ${reference} t="inlineStr"${style}><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** What XML 1.0 cannot hold is left out. */
const escapeXml = (text: string): string =>
  text
    .slice(0, textMax)
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)

/** 0 → A, 25 → Z, 26 → AA. */
function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts around the sheets (ECMA-376 part 1, SpreadsheetML). */
function frame(name: string, sheets: number): Record<string, string> {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1)
  const each = (part: (number: number) => string) => numbers.map(part).join('')
  const title = (number: number) => escapeXml(number === 1 ? name : `${name} ${number}`)
  return {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${each((n) => `<sheet name="${title(n)}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships">${each((n) => `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="styles" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>${each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${types}.worksheet+xml"/>`)}</Types>`,
  }
}
