import { euros } from '@asiento/proto/money'
import type { Invoice } from './invoice.ts'

/** What the layout left out of the page, so that the truth does not ask for it. */
export interface Hidden {
  quantity?: boolean
  unitPrice?: boolean
  lineTaxRate?: boolean
}

/** The ground truth of an invoice as the labelled samples write it: `null` is what the document does not show. */
export function truth(invoice: Invoice, hidden: Hidden, meta: Record<string, unknown>): Record<string, unknown> {
  const surcharge = invoice.rates.reduce((sum, row) => sum + row.surchargeCents, 0)
  const largest = [...invoice.rates].sort((a, b) => Math.abs(b.baseCents) - Math.abs(a.baseCents))[0]
  return {
    vendor_name: invoice.vendor.name,
    vendor_vat: invoice.vendor.taxId,
    vendor_address: invoice.vendor.street,
    vendor_city: invoice.vendor.city,
    buyer_name: invoice.buyer?.name ?? null,
    buyer_vat: invoice.buyer?.taxId ?? null,
    invoice_number: invoice.number,
    invoice_date: invoice.date,
    due_date: invoice.dueDate,
    currency: 'EUR',
    subtotal: euros(invoice.subtotalCents),
    tax: euros(invoice.taxCents),
    total: euros(invoice.totalCents),
    iban: invoice.ibanMasked ? null : invoice.iban,
    payment_method: invoice.paymentMethod,
    irpf_rate: invoice.withholdingRate === 0 ? null : invoice.withholdingRate,
    declared_tax_rate: largest?.rate ?? null,
    line_items: invoice.lines.map((line) => ({
      description: line.description,
      quantity: hidden.quantity ? null : Number(line.quantity),
      unit_price: hidden.unitPrice ? null : Number(line.unitPrice),
      tax_rate: hidden.lineTaxRate ? null : line.taxRate,
      total: euros(line.totalCents),
    })),
    pgc_hint: invoice.pgcHint,
    ...(invoice.withholdingCents === 0 ? {} : { irpf_amount: euros(invoice.withholdingCents) }),
    ...(surcharge === 0 ? {} : { surcharge: euros(surcharge) }),
    ...(invoice.suplidosCents === 0 ? {} : { suplidos: euros(invoice.suplidosCents) }),
    ...(invoice.rates.length < 2
      ? {}
      : {
          tax_breakdown: invoice.rates.map(({ rate, baseCents, quotaCents }) => ({
            rate,
            base: euros(baseCents),
            quota: euros(quotaCents),
          })),
        }),
    _meta: meta,
  }
}
