import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { facturaeXml } from '../../src/domain/build/facturae-xml.ts'
import { invoiceFromInput } from '../../src/domain/build/invoice-from-input.ts'
import { computeFigures } from '../../src/domain/model/figures.ts'
import { readDocument } from '../../src/domain/parse/read-document.ts'
import { readInvoices } from '../../src/domain/parse/read-facturae.ts'
import { checkDocument } from '../../src/domain/rules/portal-rules.ts'
import { asCanonical } from '../../src/signing/canonical-form.ts'
import { independentSums } from '../support/independent-sums.ts'
import { invoiceArbitrary, runs, today } from '../support/invoices.ts'

const build = (input: Parameters<typeof invoiceFromInput>[0]) => {
  const { invoice, figures } = invoiceFromInput(input)
  return { invoice, figures, xml: facturaeXml(invoice, figures) }
}

describe('any invoice over the whole model', () => {
  it('is valid by the schema, keeps rules 1 to 9 and adds up to the cent', { timeout: 900_000 }, () => {
    fc.assert(
      fc.property(invoiceArbitrary(), (input) => {
        const document = readDocument(Buffer.from(build(input).xml))
        expect(document.schemaErrors).toEqual([])
        expect(checkDocument(document.root, { today, strict: false })).toEqual([])
      }),
      { numRuns: runs(400) },
    )
  })

  it('has the sums that exact rational arithmetic gives', { timeout: 900_000 }, () => {
    fc.assert(
      fc.property(invoiceArbitrary(), (input) => {
        const { xml } = build(input)
        expect(independentSums(xml)).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })

  it('is written in canonical form, so that a digest over it is that of any verifier', { timeout: 900_000 }, () => {
    fc.assert(
      fc.property(invoiceArbitrary(6), (input) => {
        const { xml } = build(input)
        expect(readDocument(Buffer.from(xml)).canonical).toBe(xml)
        // The signer's own look at the form, which spares it the parser, takes all that the builder writes.
        expect(asCanonical(xml, 'well-formed')?.canonical).toBe(xml)
      }),
      { numRuns: runs(150, 2000) },
    )
  })

  it('comes back from its XML without loss and gives the same bytes again', { timeout: 900_000 }, () => {
    fc.assert(
      fc.property(invoiceArbitrary(6), (input) => {
        const { invoice, xml } = build(input)
        const [read] = readInvoices(readDocument(Buffer.from(xml)).root)
        if (read === undefined) throw new Error('no invoice was read')
        const abroad = invoice.buyer.address.country !== 'ESP'
        if (!abroad) expect(read).toEqual(invoice)
        expect(facturaeXml(read, computeFigures(read))).toBe(xml)
      }),
      { numRuns: runs(200, 2000) },
    )
  })

  it('grows linearly: ten thousand lines take about ten times as long as a thousand', { timeout: 120_000 }, () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        description: `Artículo ${index}`,
        quantity: 1 + (index % 7),
        unit_price: 1.37 + index / 100,
        total: null,
        tax_rate: [21, 10, 4][index % 3] ?? 21,
      }))
    const time = (count: number): number => {
      const input = { ...minimal, total: null, line_items: lines(count) }
      const times = Array.from({ length: 3 }, () => {
        const before = process.cpuUsage()
        expect(readDocument(Buffer.from(build(input).xml)).schemaErrors).toEqual([])
        const { user, system } = process.cpuUsage(before)
        return user + system
      })
      return Math.min(...times)
    }
    time(1000)
    expect(time(10_000) / time(1000)).toBeLessThan(25)
  })
})

const minimal = {
  vendor_name: 'Empresa de Pruebas SL',
  vendor_vat: 'B12345674',
  buyer_name: 'Ayuntamiento',
  buyer_vat: 'P2813400E',
  invoice_number: '1',
  invoice_date: '2026-01-31',
}
