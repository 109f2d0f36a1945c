import type { InvoiceDataInput } from '@asiento/proto/schemas/invoice-input'
import fc from 'fast-check'

/** Random invoices over everything that the input can say, all of which add up and keep the portal's rules. */
export const today = '2026-11-21'

const letters = 'TRWAGMYFPDXBNJZSQVHLCKE'
const nif = fc.integer({ min: 1, max: 99_999_999 }).map((n) => `${String(n).padStart(8, '0')}${letters[n % 23]}`)
const cif = fc
  .tuple(fc.constantFrom('A', 'B', 'P', 'Q', 'S', 'G'), fc.integer({ min: 1_000_000, max: 9_999_999 }))
  .map(([kind, n]) => {
    const digits = String(n)
    let sum = 0
    for (let index = 0; index < 7; index += 1) {
      const doubled = Number(digits[index]) * 2
      sum += index % 2 === 0 ? Math.trunc(doubled / 10) + (doubled % 10) : Number(digits[index])
    }
    const control = (10 - (sum % 10)) % 10
    return `${kind}${digits}${'PQS'.includes(kind) ? 'JABCDEFGHI'[control] : control}`
  })

const words = fc
  .array(
    fc.constantFrom(
      'Consultoría',
      'técnica',
      '& cierre',
      '<fase 1>',
      'ñandú',
      '«café»',
      '"dos"',
      "l'obra",
      '€',
      '𝛼',
      ']]>',
    ),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((parts) => parts.join(' '))

const euros = (max: number) => fc.integer({ min: 1, max: max * 100 }).map((value) => value / 100)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
const date = fc
  .integer({ min: 0, max: 600 })
  .map((days) => new Date(Date.UTC(2025, 0, 1 + days)).toISOString().slice(0, 10))

const adjustment = fc.oneof(
  fc.record({ reason: words, amount: euros(3) }),
  fc.record({ reason: words, rate: fc.integer({ min: 1, max: 3000 }).map((rate) => rate / 100) }),
)

const line = fc.record({
  description: words,
  quantity: fc.oneof(
    fc.integer({ min: 1, max: 500 }),
    fc.integer({ min: 1, max: 5_000_000 }).map((n) => n / 10_000),
  ),
  unit_price: fc.oneof(
    euros(9000),
    fc.integer({ min: 1, max: 99_999_999 }).map((n) => n / 1e6),
  ),
  tax_rate: fc.constantFrom(21, 21, 21, 10, 4, 0),
  discounts: maybe(fc.array(adjustment, { maxLength: 2 })),
  charges: maybe(fc.array(adjustment, { maxLength: 2 })),
  irpf_rate: maybe(fc.constantFrom(15, 7, 0)),
  unit: maybe(fc.constantFrom('01', '02', '36')),
  article_code: maybe(fc.constantFrom('REF-1', 'A&B')),
  file_reference: maybe(fc.constant('EXP/2026/42')),
  contract_reference: maybe(fc.constant('CTR-7')),
  additional_information: maybe(words),
  delivery_notes: maybe(fc.constant([{ number: 'ALB-1', date: '2026-01-05' }, { number: 'ALB-2' }])),
})

const party = fc.record({
  vat: fc.oneof(cif, nif),
  name: words.map((text) => `Empresa ${text}`),
  address: maybe(words),
  city: maybe(fc.constantFrom('San Sebastián de los Reyes', 'Madrid')),
  postal_code: maybe(fc.constantFrom('28001', '08001', '46002', '01001')),
  email: maybe(fc.constant('facturas@ejemplo.es')),
})

const foreign = fc.constantFrom(
  {
    vat: 'PT501964843',
    name: 'Empresa Lda',
    country: 'PRT',
    city: 'Lisboa',
    postal_code: '1000-001',
    address: 'Rua 1',
  },
  { vat: '12-3456789', name: 'Acme Inc', country: 'USA', city: 'Boston', postal_code: '02108', address: '1 Main St' },
)

const header = fc.record({
  seller: party,
  buyer: fc.oneof({ weight: 5, arbitrary: party }, { weight: 1, arbitrary: foreign }),
  number: fc.integer({ min: 1, max: 99_999 }).map((n) => `F${n}`),
  series: maybe(fc.constantFrom('2026', 'A/B')),
  date,
  irpf: maybe(fc.constantFrom(15, 7, 19, 2)),
  recargo: fc.boolean(),
  igic: fc.constantFrom(false, false, false, true),
  exempt: maybe(fc.constant('Exenta art. 20.Uno.9º de la Ley 37/1992')),
  sign: fc.constantFrom(1, 1, 1, -1),
  method: fc.constantFrom('01' as const, '02' as const, '03' as const, '04' as const),
  reason: fc.constantFrom('01', '10', '16', '80', '83', '85'),
  dollars: fc.constantFrom(false, false, false, true),
  thirdParty: maybe(party),
})

const extras = fc.record({
  discounts: maybe(fc.array(fc.record({ reason: words, amount: euros(0.5) }), { minLength: 1, maxLength: 3 })),
  charges: maybe(fc.array(adjustment, { minLength: 1, maxLength: 2 })),
  payments_on_account: maybe(fc.array(fc.record({ date, amount: euros(5) }), { minLength: 1, maxLength: 2 })),
  reimbursable_expenses: maybe(
    fc.array(
      fc.record({
        amount: euros(50),
        date: maybe(date),
        invoice_number: maybe(fc.constant('REG-77')),
        seller_vat: maybe(nif),
      }),
      {
        minLength: 1,
        maxLength: 2,
      },
    ),
  ),
  subsidies: maybe(fc.array(fc.record({ description: words, amount: euros(2) }), { minLength: 1, maxLength: 2 })),
  financial_expenses: maybe(euros(5)),
  amounts_withheld: maybe(fc.record({ reason: words, amount: euros(1) })),
  payment_in_kind: maybe(fc.record({ reason: words, amount: euros(1) })),
  iban: maybe(fc.constant('ES91 2100 0418 4502 0005 1332')),
  bic: maybe(fc.constant('CAIXESBB')),
  payment_method: maybe(fc.constantFrom('transferencia', 'domiciliacion', 'cheque', 'efectivo', 'tarjeta')),
  due_date: maybe(date),
  operation_date: fc.constant(undefined),
  notes: maybe(words),
  description: maybe(words),
  legal_literals: maybe(fc.array(words, { minLength: 1, maxLength: 2 })),
  related_invoice: maybe(fc.constant('F2025-1')),
  file_reference: maybe(fc.constant('EXP-1')),
  contract_reference: maybe(fc.constant('CTR-1')),
  transaction_reference: maybe(fc.constant('PED-1')),
  attachments: maybe(fc.constant([{ filename: 'anexo.pdf', data: 'JVBERi0xLjQK' }])),
  period: maybe(fc.constant({ start: '2025-01-01', end: '2025-01-31' })),
  language: maybe(fc.constantFrom('es', 'ca', 'en')),
})

const centres = [
  { role: '01', code: 'L01281343', name: 'Oficina contable' },
  { role: '02', code: 'L01281343' },
  { role: '03', code: 'L01281343' },
]

/** `lines` at most, with everything else at random. */
export const invoiceArbitrary = (linesMax = 15): fc.Arbitrary<InvoiceDataInput> =>
  fc
    .tuple(header, extras, fc.array(line, { minLength: 1, maxLength: linesMax }))
    .filter(([head]) => head.seller.vat !== head.buyer.vat)
    .map(([head, extra, items]) => {
      const corrects = head.sign < 0
      const lines = items.map((item) => ({
        ...item,
        quantity: item.quantity * head.sign,
        total: null,
        ...(head.igic
          ? { tax_type: 'IGIC' as const, tax_rate: { 21: 7, 10: 3, 4: 9.5, 0: 0 }[item.tax_rate] ?? 7 }
          : {}),
      }))
      return {
        ...extra,
        vendor_name: head.seller.name,
        vendor_vat: head.seller.vat,
        vendor_address: head.seller.address,
        vendor_city: head.seller.city,
        vendor_postal_code: head.seller.postal_code,
        vendor_email: head.seller.email,
        buyer_name: head.buyer.name,
        buyer_vat: head.buyer.vat,
        buyer_address: head.buyer.address,
        buyer_city: head.buyer.city,
        buyer_postal_code: head.buyer.postal_code,
        buyer_country: 'country' in head.buyer ? head.buyer.country : undefined,
        administrative_centres: /^[PQS]\d/.test(head.buyer.vat) ? centres : undefined,
        invoice_number: head.number,
        series: head.series,
        invoice_date: head.date,
        total: null,
        irpf_rate: head.irpf,
        recargo_equivalencia: head.recargo && !head.igic,
        exempt_reason: head.exempt,
        line_items: lines,
        currency: head.dollars ? 'USD' : 'EUR',
        exchange_rate: head.dollars ? 0.91234567 : undefined,
        third_party: head.thirdParty === undefined ? undefined : head.thirdParty,
        corrective: corrects
          ? { number: 'F-ORIG-1', series: 'A', date: '2025-01-15', reason_code: head.reason, method: head.method }
          : undefined,
      } as InvoiceDataInput
    })

/** How many invoices a property sees: few in CI, ten thousand with `FULL=1`. */
export const runs = (few: number, full = 10_000): number => (process.env.TEST_FULL ? full : few)
