import type { Extraction } from '@asiento/proto/schemas/extraction-result'
import { describe, expect, it } from 'vitest'
import { alarmsOf } from '../../src/domain/confirm-alarms.ts'
import type { Document } from '../../src/domain/page.ts'
import type { Region } from '../../src/domain/second-reading.ts'
import { understand } from '../../src/domain/understand.ts'
import { documentOf, plainInvoice } from './document-of.ts'

/** The plain invoice as recognized from a picture, with one of its texts replaced. */
function scanOf(printed: string, shown: string): { document: Document; extraction: Extraction } {
  const document = documentOf(plainInvoice.map((row) => row.replace(printed, shown)))
  const pages = document.pages.map((page) => ({
    ...page,
    source: 'ocr' as const,
    words: page.words.map((word) => ({ ...word, confidence: 0.95 })),
  }))
  const scan: Document = { ...document, engine: 'ocr', pages }
  return { document: scan, extraction: understand(scan, { today: '2026-12-31' }) }
}

const shownIn = ({ pages }: Document, { words }: Region): string =>
  words.map((index) => pages[0]?.words[index]?.text).join(' ')

const codesAt = ({ warnings }: Extraction): string[] =>
  warnings
    .filter(({ code }) => code === 'amounts_mismatch' || code === 'low_quality_image')
    .map(({ code, field }) => `${code} ${field}`)

describe('a broken sum of a recognized page', () => {
  it.each([
    ['the total', '291,01 €', '291,71 €', 'total'],
    ['the total of a line', '140,00', '149,00', 'line_items'],
  ])('is an error of the invoice where its figures are read alike twice: %s', (_name, printed, shown, field) => {
    const { document, extraction } = scanOf(printed, shown)
    const { regions, judge } = alarmsOf(document, extraction, document)
    const judged = judge(regions.map((region) => ({ region, text: shownIn(document, region), confidence: 0.9 })))
    expect(codesAt(judged).filter((code) => code.startsWith(`amounts_mismatch ${field}`))).not.toEqual([])
    expect(judged).toEqual(extraction)
  })

  it.each([
    ['read differently', () => '291,01'],
    ['not read at all', () => ''],
  ])('is a doubt about the picture where a figure is %s', (_name, again) => {
    const { document, extraction } = scanOf('291,01 €', '291,71 €')
    const { regions, judge } = alarmsOf(document, extraction, document)
    const judged = judge(regions.map((region) => ({ region, text: again(), confidence: 0.9 })))
    expect(codesAt(judged)).toEqual(['low_quality_image total'])
    expect(judged.confidence_score).toBe(extraction.confidence_score)
  })

  it('is a doubt where the figure has its value from the second reading alone', () => {
    const { document, extraction } = scanOf('291,01 €', '291,71 €')
    const { document: first } = scanOf('291,01 €', '291,01 €')
    const { regions, judge } = alarmsOf(document, extraction, first)
    const judged = judge(regions.map((region) => ({ region, text: shownIn(document, region), confidence: 0.9 })))
    expect(codesAt(judged)).toEqual(['low_quality_image total'])
  })

  it('is a doubt where an amount lost its comma, however often it is read so', () => {
    const { document, extraction } = scanOf('140,00', '14000')
    const { regions, judge } = alarmsOf(document, extraction, document)
    const judged = judge(regions.map((region) => ({ region, text: shownIn(document, region), confidence: 0.9 })))
    expect(codesAt(judged).filter((code) => code.startsWith('amounts_mismatch'))).toEqual([])
  })

  it('asks for nothing where the sums hold', () => {
    const { document, extraction } = scanOf('291,01', '291,01')
    const { regions, judge } = alarmsOf(document, extraction, document)
    expect(regions).toEqual([])
    expect(judge([])).toBe(extraction)
  })
})
