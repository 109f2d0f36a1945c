import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { withPdf } from '../../src/pages/pdf-file.ts'
import { readDocument } from '../../src/pages/read-document.ts'
import { readPdfPage } from '../../src/pages/read-pdf-page.ts'
import { scanImage, scanPdf } from '../../tools/generator/degrade.ts'
import { drawInvoice } from '../../tools/generator/draw.ts'
import { families } from '../../tools/generator/families.ts'
import { makeInvoice } from '../../tools/generator/make-invoice.ts'
import { errorKinds, plantError } from '../../tools/generator/plant-error.ts'
import { random } from '../../tools/generator/random.ts'

const invoices = Array.from({ length: 150 }, (_, index) => makeInvoice(random(`test/${index}`)))

describe('generated invoices', () => {
  it('add up: lines to bases, bases and taxes to the total', () => {
    for (const invoice of invoices) {
      const lines = invoice.lines.reduce((sum, line) => sum + line.totalCents, 0)
      expect(lines).toBe(invoice.sumCents)
      const bases = invoice.rates.reduce((sum, row) => sum + row.baseCents, 0)
      expect(bases).toBe(invoice.subtotalCents)
      if (!invoice.linesIncludeTax) expect(lines - invoice.globalDiscountCents + invoice.chargesCents).toBe(bases)
      expect(invoice.subtotalCents + invoice.taxCents - invoice.withholdingCents + invoice.suplidosCents).toBe(
        invoice.totalCents,
      )
    }
  })

  it('show all that occurs: rates, taxes, withholding, discounts, correctives, several languages', () => {
    const some = (holds: (invoice: (typeof invoices)[number]) => boolean): boolean => invoices.some(holds)
    expect(some(({ rates }) => rates.length > 1)).toBe(true)
    expect(some(({ taxType }) => taxType === 'IGIC')).toBe(true)
    expect(some(({ withholdingRate }) => withholdingRate > 0)).toBe(true)
    expect(some(({ rates }) => rates.some(({ surchargeCents }) => surchargeCents > 0))).toBe(true)
    expect(some(({ globalDiscountCents }) => globalDiscountCents > 0)).toBe(true)
    expect(some(({ kind, totalCents }) => kind === 'corrective' && totalCents < 0)).toBe(true)
    expect(some(({ buyer }) => buyer === null)).toBe(true)
    expect(new Set(invoices.map(({ language }) => language)).size).toBeGreaterThanOrEqual(4)
  })

  it.each([...families.dev, ...families.blind])('print what their truth says in layout $id', async (family) => {
    const invoice = invoices[3] ?? makeInvoice(random('x'))
    const { bytes } = await drawInvoice(random(family.id), invoice, family)
    const { pages } = await readDocument(bytes)
    const text = pages.flatMap(({ words }) => words.map((word) => word.text)).join('')
    const flat = text.toUpperCase().replace(/[^A-Z0-9]/g, '')
    for (const value of [invoice.number, invoice.vendor.taxId, String(Math.abs(invoice.totalCents))]) {
      expect(flat).toContain(value.toUpperCase().replace(/[^A-Z0-9]/g, ''))
    }
  })

  it('are the same bytes for the same seed', async () => {
    const family = families.dev[0]
    const invoice = invoices[0]
    if (family === undefined || invoice === undefined) throw new Error('nothing generated')
    const [one, two] = [
      await drawInvoice(random('a'), invoice, family),
      await drawInvoice(random('a'), invoice, family),
    ]
    expect(Buffer.from(one.bytes).equals(Buffer.from(two.bytes))).toBe(true)
  })

  it.each(errorKinds)('carry exactly one wrong figure when an error in %s is planted', (kind) => {
    const planted = invoices.map((invoice) => [invoice, plantError(random('error'), invoice, kind)] as const)
    const found = planted.filter(([, error]) => error !== undefined)
    expect(found.length).toBeGreaterThan(5)
    for (const [invoice, error] of found) {
      expect(JSON.stringify(error?.invoice)).not.toBe(JSON.stringify(invoice))
      if (kind !== 'rate') expect(error?.deltaCents).not.toBe(0)
    }
  })
})

describe('scans of generated invoices', () => {
  it.each(['clean', 'office', 'copy', 'fax', 'photo'] as const)(
    'show the whole sheet of A4 once: %s',
    async (kind) => {
      const family = families.dev[3]
      const invoice = invoices[7]
      if (family === undefined || invoice === undefined) throw new Error('nothing generated')
      const { bytes } = await drawInvoice(random('scan'), invoice, family)
      const scan = await scanImage(random(`scan/${kind}`), bytes, [kind])
      const { width, height } = await sharp(scan.bytes).metadata()
      const [short, long] = [Math.min(width, height), Math.max(width, height)]
      expect(long / short).toBeCloseTo(Math.SQRT2, 1)
      const { channels } = await sharp(scan.bytes).stats()
      expect(channels[0]?.stdev).toBeGreaterThan(8)
      expect(short / Number(scan.meta.dpi)).toBeGreaterThan(8.2)
      expect(short / Number(scan.meta.dpi)).toBeLessThan(kind === 'photo' ? 9.2 : 8.28)
    },
    60_000,
  )

  it('become a PDF with one picture and no text on every page', async () => {
    const family = families.dev[1]
    const invoice = invoices.find(({ lines }) => lines.length > 20) ?? invoices[0]
    if (family === undefined || invoice === undefined) throw new Error('nothing generated')
    const { bytes, pages } = await drawInvoice(random('several'), invoice, family)
    const scan = await scanPdf(random('several/scan'), bytes, pages)
    await withPdf(scan.bytes, async (file) => {
      expect(file.pageCount).toBe(pages)
      for (let index = 0; index < pages; index += 1) {
        const reading = readPdfPage(file, index)
        expect(reading?.layer).toBe('image')
        expect(reading?.drawing.pictures).toHaveLength(1)
        expect(reading?.page.words).toEqual([])
      }
    })
  }, 60_000)
})
