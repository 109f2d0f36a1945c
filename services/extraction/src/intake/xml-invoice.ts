import { checkIban, normalizeIban } from '@asiento/proto/iban'
import { type Cents, euros } from '@asiento/proto/money'
import type {
  Extraction,
  InvoiceFields,
  LineItem,
  PaymentMethod,
  TaxBreakdownItem,
  TaxType,
} from '@asiento/proto/schemas/extraction-result'
import { checkTaxId, normalizeTaxId } from '@asiento/proto/tax-id'

export interface XmlParty {
  name: string | null
  taxId: string | null
  address: string | null
  city: string | null
  postalCode: string | null
  province: string | null
  /** ISO 3166-1 alpha-3. */
  country: string | null
}

export interface XmlTax {
  type: TaxType
  rate: number
  baseCents: Cents
  amountCents: Cents
}

/** What the three formats have in common, in cents. */
export interface XmlInvoice {
  vendor: XmlParty
  buyer: XmlParty
  number: string | null
  date: string | null
  dueDate: string | null
  currency: string | null
  subtotalCents: Cents | null
  taxCents: Cents | null
  totalCents: Cents | null
  iban: string | null
  paymentMethod: PaymentMethod | null
  withholdingRate: number | null
  /** At most 0 on an ordinary invoice. */
  withholdingCents: Cents | null
  taxes: XmlTax[]
  lines: LineItem[]
  documentType: InvoiceFields['document_type']
  language: string | null
}

const mandatory = [
  'vendor_name',
  'vendor_vat',
  'invoice_number',
  'invoice_date',
  'subtotal',
  'tax',
  'total',
] as const satisfies readonly (keyof InvoiceFields)[]

/** The extraction result of an XML invoice: read exactly, hence confidence 1 unless it lacks or contradicts something. */
export function toExtraction(invoice: XmlInvoice): Extraction {
  const main = invoice.taxes
    .filter(({ type }) => type !== 'RE')
    .reduce<XmlTax | undefined>(
      (best, tax) => (best === undefined || Math.abs(tax.baseCents) > Math.abs(best.baseCents) ? tax : best),
      undefined,
    )
  const fields: InvoiceFields = {
    vendor_name: invoice.vendor.name,
    vendor_vat: invoice.vendor.taxId,
    vendor_address: invoice.vendor.address,
    vendor_city: invoice.vendor.city,
    vendor_postal_code: invoice.vendor.postalCode,
    vendor_province: invoice.vendor.province,
    vendor_country: invoice.vendor.country,
    buyer_name: invoice.buyer.name,
    buyer_vat: invoice.buyer.taxId,
    buyer_address: invoice.buyer.address,
    buyer_city: invoice.buyer.city,
    buyer_postal_code: invoice.buyer.postalCode,
    invoice_number: invoice.number,
    invoice_date: invoice.date,
    due_date: invoice.dueDate,
    currency: invoice.currency,
    subtotal: orNull(invoice.subtotalCents),
    tax: orNull(invoice.taxCents),
    total: orNull(invoice.totalCents),
    iban: invoice.iban,
    payment_method: invoice.paymentMethod,
    irpf_rate: invoice.withholdingRate,
    irpf_amount: orNull(invoice.withholdingCents),
    declared_tax_rate: main?.rate ?? null,
    tax_breakdown: invoice.taxes.map(
      ({ type, rate, baseCents, amountCents }): TaxBreakdownItem => ({
        tax_type: type,
        rate,
        base: euros(baseCents),
        amount: euros(amountCents),
      }),
    ),
    line_items: invoice.lines,
    lines_include_tax: false,
    document_type: invoice.documentType,
    language: invoice.language,
  }
  const warnings = findWarnings(invoice, fields)
  const missing = warnings.filter(({ code }) => code === 'missing_field').length
  const broken = warnings.length > missing
  return {
    ...fields,
    confidence_score: missing >= 2 ? 0.69 : missing === 1 || broken ? 0.89 : 1,
    warnings,
    pages: 0,
    field_evidence: {},
    engine: 'text',
  }
}

const orNull = (value: Cents | null): number | null => (value === null ? null : euros(value))

function findWarnings(invoice: XmlInvoice, fields: InvoiceFields): Extraction['warnings'] {
  const warnings: Extraction['warnings'] = mandatory
    .filter((field) => fields[field] === null)
    .map((field) => ({ code: 'missing_field', message: `The XML has no ${field}.`, field }))
  const { subtotalCents, taxCents, totalCents, withholdingCents } = invoice
  if (subtotalCents !== null && taxCents !== null && totalCents !== null) {
    const residue = totalCents - (subtotalCents + taxCents + (withholdingCents ?? 0))
    if (residue !== 0) {
      warnings.push({
        code: 'amounts_mismatch',
        message: 'Base, taxes and total do not add up.',
        field: 'total',
        residue_cents: residue,
      })
    }
  }
  for (const [field, taxId, country] of [
    ['vendor_vat', invoice.vendor.taxId, invoice.vendor.country],
    ['buyer_vat', invoice.buyer.taxId, invoice.buyer.country],
  ] as const) {
    if (taxId !== null && (country ?? 'ESP') === 'ESP' && !checkTaxId(taxId).valid) {
      warnings.push({ code: 'tax_id_invalid', message: `The tax id ${taxId} is not valid.`, field })
    }
  }
  if (invoice.iban !== null && !checkIban(invoice.iban).valid) {
    warnings.push({ code: 'iban_invalid', message: 'The IBAN is not valid.', field: 'iban' })
  }
  return warnings
}

/** A Spanish tax id in its bare form; a foreign one as it is, without blanks. */
export function bareTaxId(text: string | null): string | null {
  if (text === null) return null
  const bare = normalizeTaxId(text)
  return bare === '' ? null : bare
}

export const bareIban = (text: string | null): string | null => {
  const iban = text === null ? '' : normalizeIban(text)
  return iban === '' ? null : iban
}
