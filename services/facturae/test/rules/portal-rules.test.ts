import { describe, expect, it } from 'vitest'
import { buildFacturae } from '../../src/domain/build/build-facturae.ts'
import { readDocument } from '../../src/domain/parse/read-document.ts'
import { checkDocument, portalRules } from '../../src/domain/rules/portal-rules.ts'
import { today } from '../support/invoices.ts'

const centre = (role: string) => ({ role, code: 'L01281343' })
const { xml } = buildFacturae(
  {
    vendor_name: 'Empresa SL',
    vendor_vat: 'B12345674',
    buyer_name: 'Ayuntamiento',
    buyer_vat: 'P2813400E',
    invoice_number: 'F-1',
    invoice_date: '2026-03-31',
    total: 106,
    irpf_rate: 15,
    discounts: [{ reason: 'Pronto pago', rate: null, amount: 10 }],
    line_items: [1, 2].map((index) => ({
      description: `Servicio ${index}`,
      quantity: 1,
      unit_price: 55,
      total: 55,
      tax_rate: 21,
    })),
    corrective: { number: 'F-0', date: '2026-01-01', reason_code: '10', method: '01' },
    administrative_centres: ['01', '02', '03'].map(centre),
    iban: 'ES9121000418450200051332',
  },
  { today },
)
const broken = (change: (xml: string) => string) => {
  const changed = change(xml)
  expect(changed).not.toBe(xml)
  return checkDocument(readDocument(Buffer.from(changed)).root, { today, strict: false }).map(
    (finding) => `${finding.rule ?? '-'} ${finding.severity} ${finding.field.split('/').at(-1)}`,
  )
}
const set = (name: string, text: string) => (source: string) =>
  source.replace(new RegExp(`<${name}>[^<]*</${name}>`), `<${name}>${text}</${name}>`)

describe('each rule of the portal', () => {
  it('is kept by what we build', () => {
    expect(checkDocument(readDocument(Buffer.from(xml)).root, { today, strict: true })).toEqual([])
  })

  it.each<[string, (xml: string) => string, string]>([
    ['3a', set('InvoiceNumber', ' '), '3a warning InvoiceNumber'],
    [
      '3b',
      (text) => text.replace(/<Invoice>.*<\/Invoice>/s, (invoice) => invoice + invoice),
      '3b warning InvoiceNumber',
    ],
    ['4a', set('CorrectionMethod', '09'), '4a warning CorrectionMethod'],
    [
      '4b',
      (text) => text.replace('<Corrective><InvoiceNumber>F-0</InvoiceNumber>', '<Corrective>'),
      '4b warning InvoiceNumber',
    ],
    [
      '4c',
      (text) => text.replace(/<Invoice>.*<\/Invoice>/s, (invoice) => invoice + set('InvoiceClass', 'CR')(invoice)),
      '4c warning InvoiceClass',
    ],
    ['5a', set('PersonTypeCode', 'X'), '5a warning PersonTypeCode'],
    ['5b', set('TaxIdentificationNumber', 'B12345678'), '5b warning TaxIdentificationNumber'],
    ['5c', set('PersonTypeCode', 'F'), '5c warning Individual'],
    ['5d', set('CorporateName', ' '), '5d warning CorporateName'],
    ['5f', (text) => text.replace('P2813400E', 'B12345674'), '5f warning TaxIdentificationNumber'],
    ['6a TotalCost', set('TotalCost', '55.01'), '6a error TotalCost'],
    ['6a decimals', set('GrossAmount', '55.001'), '6a error GrossAmount'],
    ['6a GrossAmount', set('GrossAmount', '55.01'), '6a error GrossAmount'],
    ['6b', set('TotalGrossAmount', '110.01'), '6b error TotalGrossAmount'],
    ['6b decimals', set('InvoiceTotal', '106.001'), '6b error InvoiceTotal'],
    ['6c', set('TaxCurrencyCode', 'ZZZ'), '6c error TaxCurrencyCode'],
    ['6d', set('TotalTaxesWithheld', '-15.00'), '6d error TotalTaxesWithheld'],
    ['6e', set('TotalGrossAmountBeforeTaxes', '110.00'), '6e error TotalGrossAmountBeforeTaxes'],
    ['6f', set('InvoiceTotal', '121.00'), '6f error InvoiceTotal'],
    ['7', set('IssueDate', '2026-11-22'), '7 warning IssueDate'],
    ['8 missing', (text) => text.replace('<RoleTypeCode>03', '<RoleTypeCode>04'), '8 warning AdministrativeCentres'],
    ['8 code', set('CentreCode', 'XYZ'), '8 warning CentreCode'],
    ['9', set('ItemDescription', ' '), '9 warning ItemDescription'],
  ])('%s is named when it is broken', (_rule, change, expected) => {
    expect(broken(change)).toContain(expected)
  })

  it('is a row of the table', () => {
    expect(portalRules.flatMap((row) => row.numbers)).toEqual(
      '1 2 3a 3b 4a 4b 4c 5a 5b 5c 5d 5e 5f 6a 6b 6c 6d 6e 6f 7 8 9'.split(' '),
    )
  })
})

describe('sums beyond the rules', () => {
  it.each([
    ['TotalTaxOutputs', '21.01'],
    ['TotalGeneralDiscounts', '9.00'],
    ['TotalOutstandingAmount', '1.00'],
    ['TotalExecutableAmount', '1.00'],
    ['InvoicesCount', '2'],
  ])('%s = %s is an error', (name, text) => {
    expect(broken(set(name, text))).toContain(`- error ${name}`)
  })

  it('the other school of rounding is a warning, a wrong tax an error', () => {
    const tax = (text: string) => (source: string) =>
      source.replace(/<TaxAmount><TotalAmount>21\.00/, `<TaxAmount><TotalAmount>${text}`)
    expect(broken(tax('21.01'))).toContain('- warning TaxAmount')
    expect(broken(tax('21.60'))).toContain('- error TaxAmount')
  })
})
