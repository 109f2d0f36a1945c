import type { Extraction } from '@asiento/proto/schemas/extraction-result'
import { arrange, boxOf, type Token } from './layout.ts'
import type { Box, Document, Word } from './page.ts'
import { readSheet } from './understand.ts'

/** A part of a page worth a second reading; `words` are those of the page that its text replaces. */
export interface Region {
  /** From 0, as in `Page.index`. */
  page: number
  /** In 0–1 page units. */
  box: Box
  /** Only signs of numbers stand there. */
  digitsOnly: boolean
  words: number[]
}

const regionsMax = 24

/** Whether a document with recognized pages has amounts that do not prove, or lacks them. */
export function isDoubtful({ engine }: Document, draft: Extraction): boolean {
  if (engine === 'text' || draft.confidence_score >= 0.9) return false
  const missing = draft.subtotal === null || draft.tax === null || draft.total === null
  return missing || draft.warnings.some((warning) => warning.code === 'amounts_mismatch')
}

/**
 * What OCR should read again because the amounts do not prove: the figures that broken sums and products touch, the
 * totals where no proof was found, figures with look-alike signs. Empty for text, for proven amounts, and where the
 * document has no amounts at all. Most useful first, at most 24.
 */
export function needsSecondReading(document: Document, draft: Extraction): Region[] {
  if (!isDoubtful(document, draft)) return []
  const broken = draft.warnings.filter((warning) => warning.code === 'amounts_mismatch')
  const sheet = arrange(document)
  const reading = readSheet(sheet, { today: '2100-01-01' })
  const lineRows = new Set(
    reading.lines
      .flatMap((line) => [line.quantity, line.price, line.total])
      .flatMap((figure) => (figure === null ? [] : [figure])),
  )
  const brokenLines = new Set(
    broken.flatMap((warning) => /^line_items\[(\d+)\]/.exec(warning.field ?? '')?.[1] ?? []).map(Number),
  )
  const ofLines = reading.lines.flatMap((line, index) =>
    brokenLines.size === 0 || brokenLines.has(index) ? [line.total, line.price, line.quantity] : [],
  )
  const summary = reading.figures.filter((figure) => !lineRows.has(figure) && (figure.decimals > 0 || figure.currency))
  const chosen = [...new Set([...summary, ...ofLines.flatMap((figure) => (figure === null ? [] : [figure]))])]
  return chosen
    .sort((a, b) => Number(b.repaired) - Number(a.repaired) || a.confidence - b.confidence)
    .slice(0, regionsMax)
    .flatMap((figure) => regionOf(document, figure.tokens))
}

/** The region of a figure on a recognized page; none where its page has a text layer or it stands turned. */
export function regionOf(document: Document, tokens: readonly Token[]): Region[] {
  const first = tokens[0]
  const page = document.pages.find((candidate) => candidate.index === first?.page)
  if (first === undefined || page === undefined || page.source !== 'ocr' || first.turned !== 0) return []
  const box = boxOf(tokens)
  const unit = {
    x0: box.x0 / page.widthPt,
    y0: box.y0 / page.heightPt,
    x1: box.x1 / page.widthPt,
    y1: box.y1 / page.heightPt,
  }
  const words = page.words.flatMap((word, index) => {
    const inside =
      word.x0 >= unit.x0 - 0.002 &&
      word.x1 <= unit.x1 + 0.002 &&
      Math.abs((word.y0 + word.y1) / 2 - (unit.y0 + unit.y1) / 2) < (unit.y1 - unit.y0) / 2
    return inside ? [index] : []
  })
  return [{ page: page.index, box: unit, digitsOnly: true, words }]
}

export interface Reread {
  region: Region
  text: string
  confidence: number
}

/** The document with the words of regions replaced by what a second reading found there. Empty texts change nothing. */
export function withSecondReading(document: Document, rereads: readonly Reread[]): Document {
  return {
    ...document,
    pages: document.pages.map((page) => {
      const here = rereads.filter(({ region, text }) => region.page === page.index && text.trim() !== '')
      if (here.length === 0) return page
      const gone = new Set(here.flatMap(({ region }) => region.words))
      const words = page.words.filter((_, index) => !gone.has(index))
      return { ...page, words: [...words, ...here.flatMap((reread) => reworded(page.words, reread))] }
    }),
  }
}

function reworded(words: readonly Word[], { region, text, confidence }: Reread): Word[] {
  const first = words[region.words[0] ?? -1]
  if (first === undefined) return []
  const texts = text.split(/\s+/).filter((part) => part !== '')
  const signs = texts.reduce((total, part) => total + part.length, 0) + texts.length - 1
  const step = (region.box.x1 - region.box.x0) / signs
  let x = region.box.x0
  return texts.map((part) => {
    const word = {
      ...first,
      text: part,
      confidence,
      x0: x,
      x1: x + step * part.length,
      y0: region.box.y0,
      y1: region.box.y1,
    }
    x += step * (part.length + 1)
    return word
  })
}

/** The extraction in which more holds; the first when they are equal. */
export const betterOf = (first: Extraction, second: Extraction): Extraction =>
  doubts(second) < doubts(first) ? second : first

const doubts = (extraction: Extraction): number =>
  extraction.warnings.filter((warning) => warning.code === 'amounts_mismatch').length +
  3 * [extraction.subtotal, extraction.tax, extraction.total].filter((amount) => amount === null).length
