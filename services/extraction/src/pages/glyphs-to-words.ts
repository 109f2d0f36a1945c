import type { Word } from '../domain/page.ts'
import { composeAccents, plainSign, spreadLigatures } from './signs.ts'

/** One sign as a PDF draws it, in points from the page's top left corner, as a person sees the page. */
export interface Glyph {
  sign: string
  x0: number
  y0: number
  x1: number
  y1: number
  /** Points. */
  fontSize: number
  bold: boolean
  /** Clockwise direction of writing. */
  rotation: 0 | 90 | 180 | 270
}

/** A glyph turned so that it reads from left to right: `a` along the line, `b` across it (down is positive). */
interface Placed {
  glyph: Glyph
  a0: number
  a1: number
  b0: number
  b1: number
}

interface Run {
  placed: Placed[]
  rotation: Glyph['rotation']
  size: number
  blankBefore: boolean
}

/**
 * Joins glyphs, in the order in which the document draws them, into words.
 *
 * Words are split at blanks and at gaps; glyphs that are drawn apart (kerned or letter-spaced runs, numbers pieced
 * together) are joined when they stand on one baseline without a gap. The same sign drawn twice at one place (a way to
 * fake bold) counts once and makes the word bold. Boxes are in 0–1 page units.
 */
export function glyphsToWords(glyphs: readonly Glyph[], widthPt: number, heightPt: number): Word[] {
  const runs = toRuns(withoutOverprint(composeAccents(spreadLigatures(glyphs))))
  const lines = toLines(runs)
  const words: Word[] = []
  lines.forEach((line, lineNumber) => {
    for (const run of joinSpacedLetters(joinTouching(line))) words.push(toWord(run, lineNumber, widthPt, heightPt))
  })
  return words
}

function withoutOverprint(glyphs: readonly Glyph[]): Glyph[] {
  const kept: Glyph[] = []
  const seen = new Map<number, Glyph[]>()
  for (const glyph of glyphs) {
    if (plainSign(glyph.sign) === ' ') {
      kept.push(glyph)
      continue
    }
    const nearby = findTwin(seen, glyph)
    if (nearby !== undefined) {
      nearby.bold = true
      continue
    }
    const copy = { ...glyph }
    const cell = cellOf(cellAt(copy.x0), cellAt(copy.y0))
    const neighbours = seen.get(cell)
    if (neighbours === undefined) seen.set(cell, [copy])
    else neighbours.push(copy)
    kept.push(copy)
  }
  return kept
}

/** Cells of two points by which a glyph's neighbours are found. */
const cellAt = (points: number): number => Math.floor(points / 2)
/** Pages are far narrower than a hundred thousand cells. */
const cellOf = (column: number, row: number): number => column * 100_000 + row

/** An equal sign less than a tenth of its size away. */
function findTwin(seen: ReadonlyMap<number, readonly Glyph[]>, glyph: Glyph): Glyph | undefined {
  const { sign, rotation, x0, y0 } = glyph
  const reach = Math.max(0.35, glyph.fontSize * 0.09)
  for (let column = cellAt(x0 - reach); column <= cellAt(x0 + reach); column += 1) {
    for (let row = cellAt(y0 - reach); row <= cellAt(y0 + reach); row += 1) {
      for (const twin of seen.get(cellOf(column, row)) ?? []) {
        if (twin.sign !== sign || twin.rotation !== rotation) continue
        if (Math.abs(twin.x0 - x0) <= reach && Math.abs(twin.y0 - y0) <= reach) return twin
      }
    }
  }
  return undefined
}

function place(glyph: Glyph): Placed {
  switch (glyph.rotation) {
    case 90:
      return { glyph, a0: glyph.y0, a1: glyph.y1, b0: -glyph.x1, b1: -glyph.x0 }
    case 180:
      return { glyph, a0: -glyph.x1, a1: -glyph.x0, b0: -glyph.y1, b1: -glyph.y0 }
    case 270:
      return { glyph, a0: -glyph.y1, a1: -glyph.y0, b0: glyph.x0, b1: glyph.x1 }
    default:
      return { glyph, a0: glyph.x0, a1: glyph.x1, b0: glyph.y0, b1: glyph.y1 }
  }
}

/** Runs of glyphs that follow each other in drawing order without a blank or gap. */
function toRuns(glyphs: readonly Glyph[]): Run[] {
  const chunks: Placed[][] = []
  let chunk: Placed[] = []
  const blanks = new Set<Placed>()
  let blank = false
  for (const glyph of glyphs) {
    if (plainSign(glyph.sign) === ' ') {
      blank = true
      continue
    }
    const placed = place(glyph)
    const last = chunk.at(-1)
    if (last === undefined || !followsOn(last, placed)) {
      chunk = [placed]
      chunks.push(chunk)
      if (blank) blanks.add(placed)
    } else {
      if (blank) blanks.add(placed)
      chunk.push(placed)
    }
    blank = false
  }
  return chunks.flatMap((placed) => splitAtGaps(placed, blanks))
}

/** On one baseline and within reach: perhaps the same line, also across a blank. */
function followsOn(last: Placed, next: Placed): boolean {
  if (last.glyph.rotation !== next.glyph.rotation) return false
  const size = Math.max(last.glyph.fontSize, next.glyph.fontSize)
  const gap = next.a0 - last.a1
  return Math.abs(next.b1 - last.b1) < 0.35 * size && gap > -0.6 * size && gap < 2 * size
}

function splitAtGaps(placed: readonly Placed[], blanks: ReadonlySet<Placed>): Run[] {
  const gaps: number[] = []
  for (let index = 1; index < placed.length; index += 1) {
    const next = placed[index]
    const last = placed[index - 1]
    if (next === undefined || last === undefined || blanks.has(next)) continue
    gaps.push(Math.max(0, (next.a0 - last.a1) / next.glyph.fontSize))
  }
  const spacing = gaps.length >= 3 ? median(gaps) : 0
  const widest = spacing > 0.09 ? spacing * 1.45 + 0.1 : 0.15
  const runs: Run[] = []
  let run: Run | undefined
  for (const item of placed) {
    const last = run?.placed.at(-1)
    const size = item.glyph.fontSize
    const blank = blanks.has(item)
    if (run === undefined || last === undefined || blank || (item.a0 - last.a1) / size > widest) {
      run = { placed: [item], rotation: item.glyph.rotation, size, blankBefore: blank }
      runs.push(run)
    } else {
      run.placed.push(item)
    }
  }
  return runs
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

const start = (run: Run): number => run.placed[0]?.a0 ?? 0
const end = (run: Run): number => run.placed.at(-1)?.a1 ?? 0
const baseline = (run: Run): number => run.placed[0]?.b1 ?? 0

/** Groups runs into lines by baseline, each in the order of reading; lines keep the order of their first run. */
function toLines(runs: readonly Run[]): Run[][] {
  const order = new Map(runs.map((run, index) => [run, index]))
  const lines: Run[][] = []
  const sorted = [...runs].sort((x, y) => x.rotation - y.rotation || baseline(x) - baseline(y) || start(x) - start(y))
  let line: Run[] = []
  for (const run of sorted) {
    const first = line[0]
    const near =
      first !== undefined &&
      first.rotation === run.rotation &&
      Math.abs(baseline(run) - baseline(first)) < 0.3 * Math.min(run.size, first.size)
    if (near) line.push(run)
    else {
      line = [run]
      lines.push(line)
    }
  }
  for (const one of lines) one.sort((x, y) => start(x) - start(y) || (order.get(x) ?? 0) - (order.get(y) ?? 0))
  return lines.flatMap(splitWideLine)
}

/** A line ends where the gap is wider than any blank between words of one phrase. */
function splitWideLine(line: Run[]): Run[][] {
  const parts: Run[][] = []
  let part: Run[] = []
  for (const run of line) {
    const last = part.at(-1)
    if (last !== undefined && start(run) - end(last) > 1.6 * Math.max(run.size, last.size)) part = []
    if (part.length === 0) parts.push(part)
    part.push(run)
  }
  return parts
}

/** Joins runs that were drawn apart and yet touch: `1.234` and `,56`, or `F` and `actura` in two fonts. */
function joinTouching(line: readonly Run[]): Run[] {
  const joined: Run[] = []
  for (const run of line) {
    const last = joined.at(-1)
    const gap = last === undefined ? Number.POSITIVE_INFINITY : start(run) - end(last)
    const size = Math.min(run.size, last?.size ?? run.size)
    const alike = last !== undefined && Math.max(run.size, last.size) < 1.25 * size
    if (last !== undefined && alike && !run.blankBefore && gap < 0.12 * size && gap > -0.3 * size) {
      last.placed.push(...run.placed)
    } else {
      joined.push({ ...run, placed: [...run.placed] })
    }
  }
  return joined
}

/**
 * Joins single signs at one pitch: a heading spaced with blanks (`F A C T U R A`) or a number in the cells of a form.
 */
function joinSpacedLetters(line: readonly Run[]): Run[] {
  const result: Run[] = []
  let index = 0
  while (index < line.length) {
    const length = spacedLength(line, index)
    const group = line.slice(index, index + length)
    const first = group[0]
    if (first === undefined) break
    result.push(length > 1 ? { ...first, placed: group.flatMap((run) => run.placed) } : first)
    index += length
  }
  return result
}

function spacedLength(line: readonly Run[], from: number): number {
  const gaps: number[] = []
  let length = 1
  for (let index = from; index < line.length - 1; index += 1) {
    const run = line[index]
    const next = line[index + 1]
    if (run === undefined || next === undefined || run.placed.length !== 1 || next.placed.length !== 1) break
    const gap = (middle(next) - middle(run)) / run.size
    const pitch = gaps.length === 0 ? gap : median(gaps)
    if (gap > 1.5 || gap < 0.45 || Math.abs(gap - pitch) > 0.3) break
    gaps.push(gap)
    length += 1
  }
  return length >= 5 ? length : 1
}

const middle = (run: Run): number => (start(run) + end(run)) / 2

function toWord(run: Run, line: number, widthPt: number, heightPt: number): Word {
  let [x0, y0, x1, y1] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0]
  let text = ''
  let boldCount = 0
  for (const { glyph } of run.placed) {
    text += glyph.sign
    x0 = Math.min(x0, glyph.x0)
    y0 = Math.min(y0, glyph.y0)
    x1 = Math.max(x1, glyph.x1)
    y1 = Math.max(y1, glyph.y1)
    if (glyph.bold) boldCount += 1
  }
  return {
    text: text.normalize('NFC'),
    x0: clamp(x0 / widthPt),
    y0: clamp(y0 / heightPt),
    x1: clamp(x1 / widthPt),
    y1: clamp(y1 / heightPt),
    confidence: 1,
    fontSize: Math.round(run.size * 100) / 100,
    bold: boldCount * 2 > run.placed.length,
    ...(run.rotation === 0 ? {} : { rotation: run.rotation }),
    line,
  }
}

const clamp = (value: number): number => Math.min(1, Math.max(0, Math.round(value * 1e5) / 1e5))
