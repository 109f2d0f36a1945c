import type { Extraction, ExtractionWarning } from '@asiento/proto/schemas/extraction-result'
import { checkLine } from './check-lines.ts'
import type { Figure } from './figures.ts'
import { arrange } from './layout.ts'
import type { Document } from './page.ts'
import type { PrintedLine } from './printed-line.ts'
import type { Reading } from './reading.ts'
import { type Region, type Reread, regionOf } from './second-reading.ts'
import { readSheet } from './understand.ts'

/**
 * A sum that does not hold on a recognized page is more often misread than misprinted. It is an error of the invoice
 * only when the very figures that it rests on were read twice alike; else it is said that they could not be read surely.
 */
export interface Alarms {
  /** Figures that must be read again before the warnings can be judged; empty when there is no warning of a sum. */
  regions: Region[]
  /** The extraction with the warnings that the second reading bears out; the others become `low_quality_image`. */
  judge: (rereads: readonly Reread[]) => Extraction
}

/** What a warning rests on: every figure must be confirmed. Null when no reading of figures can confirm it. */
type Grounds = readonly Figure[] | null

/**
 * @param first the document before single figures were replaced by a second reading of them; a figure that was replaced
 * has only one reading.
 */
export function alarmsOf(document: Document, extraction: Extraction, first: Document): Alarms {
  const alarms = extraction.warnings.filter(({ code }) => code === 'amounts_mismatch')
  if (alarms.length === 0 || document.engine === 'text') return { regions: [], judge: () => extraction }
  const reading = readSheet(arrange(document), { today: '2100-01-01' })
  const grounds = new Map(alarms.map((alarm) => [alarm, groundsOf(alarm, reading)]))
  const figures = [...new Set([...grounds.values()].flatMap((found) => found ?? []))]
  const regions = new Map(figures.map((figure) => [figure, regionOf(document, figure.tokens)[0]]))
  const quantities = new Set(reading.lines.map(({ quantity }) => quantity))
  const judge = (rereads: readonly Reread[]): Extraction => {
    const holds = (figure: Figure): boolean => {
      const region = regions.get(figure)
      // a page of text needs no second look
      if (region === undefined) return !figure.ocr
      const again = rereads.find((reread) => isSame(reread.region, region))
      const digits = digitsOf(figure.text)
      // an amount without its comma: a hundred times as much, in both readings
      if (figure.decimals === 0 && digits.length > 2 && !quantities.has(figure)) return false
      return again !== undefined && digitsOf(again.text) === digits && digitsOf(printedIn(first, region)) === digits
    }
    const warnings = extraction.warnings.map((warning): ExtractionWarning => {
      const found = grounds.get(warning)
      return found === undefined || found?.every(holds) === true ? warning : unsure(warning)
    })
    return { ...extraction, warnings: withoutRepetition(warnings) }
  }
  return { regions: [...regions.values()].flatMap((region) => region ?? []), judge }
}

function groundsOf({ field, residue_cents: residue }: ExtractionWarning, reading: Reading): Grounds {
  const { lines, amounts } = reading
  const number = /^line_items\[(\d+)\]/.exec(field ?? '')?.[1]
  if (number !== undefined)
    return isSignLost(lines[Number(number)], residue) ? null : figuresOfLine(lines[Number(number)])
  if (field === 'line_items') return groundsOfSum(residue ?? 0, reading)
  const { subtotal, tax, total } = amounts.figures
  if (subtotal === undefined || tax === undefined || total === undefined) return null
  return Object.values(amounts.figures)
}

/**
 * Lines do not add up: because one of them is wrong by just that much, or, where no products are printed, because all of
 * them are as they were read. Where all products hold, a line was overlooked or is none.
 */
function groundsOfSum(residue: number, { lines, amounts, figures }: Reading): Grounds {
  const { subtotal } = amounts.figures
  if (subtotal === undefined) return null
  const ofLines = new Set(lines.flatMap(({ total, price, quantity }) => [total, price, quantity]))
  // a printed amount of just that size is that of a line which was not understood
  if (figures.some((figure) => Math.abs(figure.cents) === Math.abs(residue) && !ofLines.has(figure))) return null
  const checks = lines.map((line) => ({ line, check: checkLine(line) }))
  const wrong = checks.find(
    ({ check }) => check.holds === false && Math.abs(check.residueCents) === Math.abs(residue) && residue !== 0,
  )
  if (wrong !== undefined) {
    const figures = figuresOfLine(wrong.line)
    return figures === null ? null : [...figures, subtotal]
  }
  if (checks.some(({ check }) => check.holds !== null)) return null
  return [...lines.flatMap(({ total }) => total ?? []), subtotal]
}

/** Printed and computed differ by twice the amount: a minus was overlooked. */
const isSignLost = (line: PrintedLine | undefined, residue = 0): boolean =>
  line?.total != null && Math.abs(Math.abs(residue) - 2 * Math.abs(line.total.cents)) <= 2

function figuresOfLine(line: PrintedLine | undefined): Grounds {
  if (line === undefined || line.total === null) return null
  return [line.total, line.price, line.quantity, line.discount].filter((figure) => figure !== null)
}

const unsure = ({ field }: ExtractionWarning): ExtractionWarning => ({
  code: 'low_quality_image',
  message: 'Los importes no cuadran y en la imagen no se leen con seguridad; conviene revisarlos.',
  ...(field === undefined ? {} : { field }),
})

const withoutRepetition = (warnings: readonly ExtractionWarning[]): ExtractionWarning[] =>
  warnings.filter(
    (warning, index) =>
      warnings.findIndex(({ code, field }) => code === warning.code && field === warning.field) === index ||
      warning.code !== 'low_quality_image',
  )

const digitsOf = (text: string): string => text.replace(/\D/g, '')

const isSame = (one: Region, other: Region): boolean =>
  one.page === other.page &&
  Math.abs(one.box.x0 - other.box.x0) + Math.abs(one.box.x1 - other.box.x1) < 0.002 &&
  Math.abs(one.box.y0 - other.box.y0) + Math.abs(one.box.y1 - other.box.y1) < 0.002

/** What a document shows within a region, from left to right. */
function printedIn({ pages }: Document, { page, box }: Region): string {
  const words = pages.find(({ index }) => index === page)?.words ?? []
  return words
    .filter(({ x0, x1, y0, y1 }) => {
      const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2]
      return x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1
    })
    .sort((a, b) => a.x0 - b.x0)
    .map(({ text }) => text)
    .join(' ')
}
