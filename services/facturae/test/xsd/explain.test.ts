import { describe, expect, it } from 'vitest'
import { buildFacturae } from '../../src/domain/build/build-facturae.ts'
import { facturaeVersions, schemaErrorsOf, schemaOf } from '../../src/xsd/schemas.ts'
import { today } from '../support/invoices.ts'

const { xml } = buildFacturae(
  {
    vendor_name: 'Empresa SL',
    vendor_vat: 'B12345674',
    buyer_name: 'Clienta SA',
    buyer_vat: 'A58818501',
    invoice_number: 'F-1',
    invoice_date: '2026-03-31',
    total: 121,
    declared_tax_rate: 21,
  },
  { today },
)
const set = (name: string, text: string) =>
  xml.replace(new RegExp(`<${name}>[^<]*</${name}>`), `<${name}>${text}</${name}>`)

describe('the official schemas', () => {
  it('compile for every version without network', () => {
    for (const version of Object.keys(facturaeVersions) as (keyof typeof facturaeVersions)[]) schemaOf(version)
    expect(schemaErrorsOf(xml, '3.2.2')).toEqual([])
  })

  it.each<[string, string, string, string]>([
    [
      'an element out of place',
      xml.replace('<Modality>', '<Foo></Foo><Modality>'),
      'Foo is not allowed here; the schema expects Modality in this place.',
      '/Facturae/FileHeader/Foo',
    ],
    [
      'something missing',
      xml.replace(/<Batch>.*<\/Batch>/s, ''),
      'FileHeader is incomplete: ThirdParty, Batch is missing.',
      '/Facturae/FileHeader',
    ],
    [
      'a text too long',
      set('InvoiceNumber', 'X'.repeat(21)),
      'InvoiceNumber has 21 characters; at most 20 are allowed.',
      '/Facturae/Invoices/Invoice/InvoiceHeader/InvoiceNumber',
    ],
    [
      'a value that is not in the list',
      set('Modality', 'Q'),
      "Modality 'Q' is none of the values allowed: I, L.",
      '/Facturae/FileHeader/Modality',
    ],
    [
      'no number',
      set('Quantity', 'two'),
      "Quantity 'two' is no number.",
      '/Facturae/Invoices/Invoice/Items/InvoiceLine/Quantity',
    ],
    [
      'a number of another form',
      set('InvoiceTotal', '1,00'),
      "InvoiceTotal '1,00' is no number.",
      '/Facturae/Invoices/Invoice/InvoiceTotals/InvoiceTotal',
    ],
    [
      'an exponent',
      set('InvoiceTotal', '1e2'),
      "InvoiceTotal '1e2' has not the form that is asked: a number with at most eight decimals.",
      '/Facturae/Invoices/Invoice/InvoiceTotals/InvoiceTotal',
    ],
    [
      'a postal code of four digits',
      set('PostCode', '2800'),
      'PostCode has 4 characters; it must have exactly 5.',
      '/Facturae/Parties/SellerParty/LegalEntity/AddressInSpain/PostCode',
    ],
    [
      'no date',
      set('IssueDate', '31/03/2026'),
      "IssueDate '31/03/2026' is no date (YYYY-MM-DD).",
      '/Facturae/Invoices/Invoice/InvoiceIssueData/IssueDate',
    ],
  ])('explain %s', (_name, changed, message, path) => {
    expect(schemaErrorsOf(changed, '3.2.2')).toContainEqual({ message, path, line: 1 })
  })
})
