import { AppError, ValidationFailure } from '@asiento/proto/errors'
import { invoiceDataInput, invoiceInput } from '@asiento/proto/schemas/invoice-input'
import { describe, expect, it } from 'vitest'
import { type BuiltFacturae, buildFacturae } from '../../src/domain/build/build-facturae.ts'
import { independentSums } from '../support/independent-sums.ts'
import { today } from '../support/invoices.ts'

const minimal = {
  vendor_name: 'Empresa de Pruebas SL',
  vendor_vat: 'B12345674',
  buyer_name: 'Clienta SA',
  buyer_vat: 'A58818501',
  invoice_number: 'F-1',
  invoice_date: '2026-03-31',
  total: 121 as number | null,
}
const line = { description: 'Servicio', quantity: 1, unit_price: 100, total: 100, tax_rate: 21 }
const address = (side: string) => ({
  [`${side}_address`]: 'C/ Mayor 1',
  [`${side}_city`]: 'Madrid',
  [`${side}_postal_code`]: '28001',
})
const full = { ...minimal, ...address('vendor'), ...address('buyer'), declared_tax_rate: 21 }

const build = (input: Record<string, unknown>, options = {}): BuiltFacturae =>
  buildFacturae(invoiceDataInput.parse(input), { today, ...options })
const codes = (built: BuiltFacturae) => built.warnings.map((warning) => warning.code)
const value = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
const refusal = (input: Record<string, unknown>): string => {
  try {
    build(input)
  } catch (error) {
    if (error instanceof AppError) return `${error.code}: ${error.detail}`
    if (error instanceof ValidationFailure) return `422 ${error.issues[0]?.loc.join('.')}`
    throw error
  }
  return 'accepted'
}

describe('the minimal body', () => {
  it('becomes one line at 21 %, says that it assumed the rate and what the addresses lack', () => {
    const built = build(minimal)
    expect(value(built.xml, 'ItemDescription')).toBe('Según factura F-1')
    expect(value(built.xml, 'UnitPriceWithoutTax')).toBe('100.00')
    expect(value(built.xml, 'InvoiceTotal')).toBe('121.00')
    expect(codes(built)).toEqual(['address_incomplete', 'address_incomplete', 'tax_rate_assumed'])
    expect(built.xml).toContain('<PostCode>00000</PostCode><Town>No consta</Town><Province>No consta</Province>')
  })

  it('has no warning when nothing is missing', () => {
    expect(build(full).warnings).toEqual([])
  })

  it('reads the province from the postal code', () => {
    const { xml } = build({ ...full, vendor_province: undefined })
    expect(value(xml, 'Province')).toBe('Madrid')
  })

  it.each([
    ['subtotal and tax name the rate', { subtotal: 110, tax: 11, total: 121 }, '10.00'],
    ['zero tax is 0 %', { subtotal: 121, tax: 0, total: 121 }, '0.00'],
    ['the declared rate', { declared_tax_rate: 4, total: 104 }, '4.00'],
    ['the lines', { line_items: [{ ...line, tax_rate: 10 }], total: 110 }, '10.00'],
  ])('takes the rate from %s', (_name, extra, rate) => {
    expect(value(build({ ...minimal, ...address('vendor'), ...address('buyer'), ...extra }).xml, 'TaxRate')).toBe(rate)
  })

  it('names every field that Facturae needs and that is missing', () => {
    expect(refusal({ ...minimal, vendor_vat: null, buyer_name: ' ', invoice_number: null })).toBe(
      'INVALID_INPUT: Facturae needs what is missing: vendor_vat, buyer_name, invoice_number.',
    )
  })

  it('asks the fields of section 2.4 of /convert, and none of /convert-to-facturae, by shape', () => {
    expect(invoiceInput.safeParse({}).error?.issues.map((issue) => issue.path[0])).toEqual(
      expect.arrayContaining([
        'vendor_name',
        'vendor_vat',
        'buyer_name',
        'buyer_vat',
        'invoice_number',
        'invoice_date',
        'total',
      ]),
    )
    expect(invoiceDataInput.safeParse({}).success).toBe(true)
  })
})

describe('sums', () => {
  it.each([
    ['gross', 121],
    ['payable', 106],
  ])('take a total that is the %s', (_name, total) => {
    const built = build({ ...full, line_items: [line], irpf_rate: 15, irpf_amount: -15, total })
    expect(value(built.xml, 'InvoiceTotal')).toBe('106.00')
    expect(value(built.xml, 'TotalTaxesWithheld')).toBe('15.00')
    expect(built.warnings).toEqual([])
  })

  it('reads a positive irpf_amount as its negative, and finds its rate', () => {
    const built = build({ ...full, line_items: [line], irpf_amount: 7, total: 114 })
    expect(built.xml).toContain('<TaxTypeCode>04</TaxTypeCode><TaxRate>7.00</TaxRate>')
  })

  it('finds an unusual rate of withholding in its amount', () => {
    const built = build({ ...full, line_items: [line], irpf_amount: -3.33, total: 117.67 })
    expect(built.xml).toContain('<TaxTypeCode>04</TaxTypeCode><TaxRate>3.33</TaxRate>')
  })

  it.each([
    ['total', { total: 125 }, 'INVALID_INPUT: total does not add up: it says 125.00, the invoice gives 121.00.'],
    ['subtotal', { subtotal: 101 }, 'INVALID_INPUT: subtotal does not add up'],
    ['tax', { tax: 20 }, 'INVALID_INPUT: tax does not add up'],
    ['irpf_amount', { irpf_rate: 15, irpf_amount: -14 }, 'INVALID_INPUT: irpf_amount does not add up'],
    [
      'a line',
      { line_items: [{ ...line, total: 90 }], total: 108.9 },
      'INVALID_INPUT: line_items[0].total does not add up',
    ],
    [
      'a row of the breakdown',
      { tax_breakdown: [{ tax_type: 'IVA', rate: 21, base: 90, amount: 18.9 }] },
      'INVALID_INPUT: tax_breakdown[0].base',
    ],
    [
      'installments',
      { installments: [{ due_date: '2026-05-01', amount: 100 }] },
      'INVALID_INPUT: installments do not add up',
    ],
  ])('refuse %s that is off by more than two cents, naming it', (_name, extra, message) => {
    expect(refusal({ ...full, line_items: [line], ...extra })).toContain(message)
  })

  it('turn a difference of up to two cents into a warning with its residue', () => {
    const built = build({ ...full, line_items: [line], total: 121.02 })
    expect(built.warnings).toMatchObject([{ code: 'amounts_mismatch', field: 'total', residue_cents: 2 }])
    expect(refusal({ ...full, line_items: [line], total: 121.03 })).toContain('total does not add up')
  })

  it('round half away from zero, once for each rate', () => {
    const lines = [0.05, 0.05].map((price) => ({
      description: 'x',
      quantity: 1,
      unit_price: price,
      total: price,
      tax_rate: 10,
    }))
    expect(value(build({ ...full, line_items: lines, total: 0.11 }).xml, 'TotalTaxOutputs')).toBe('0.01')
    const two = [1, 2].map(() => ({ description: 'x', quantity: 1, unit_price: 6097.74, total: 6097.74, tax_rate: 21 }))
    expect(value(build({ ...full, line_items: two, total: null }).xml, 'TotalTaxOutputs')).toBe('2561.05')
  })

  it('share a general discount among the rates so that the bases add up', () => {
    const lines = [21, 10, 4].map((rate) => ({
      description: 'x',
      quantity: 1,
      unit_price: 33.33,
      total: 33.33,
      tax_rate: rate,
    }))
    const { xml, figures } = build({
      ...full,
      line_items: lines,
      total: null,
      discounts: [{ reason: 'Pronto pago', amount: 10 }],
    })
    expect(figures.taxes.reduce((sum, tax) => sum + tax.baseCents, 0)).toBe(8999)
    expect(independentSums(xml)).toEqual([])
  })
})

describe('an /extract answer', () => {
  const extracted = {
    ...full,
    vendor_province: null,
    vendor_country: 'ESP',
    subtotal: 82.64,
    tax: 17.36,
    total: 100,
    irpf_rate: null,
    irpf_amount: null,
    currency: 'EUR',
    iban: null,
    payment_method: null,
    due_date: null,
    tax_breakdown: [{ tax_type: 'IVA', rate: 21, base: 82.64, amount: 17.36 }],
    line_items: [
      { description: 'A', quantity: 3, unit_price: 20, tax_rate: 21, total: 60 },
      { description: 'B', quantity: null, unit_price: null, tax_rate: null, total: 40 },
    ],
    lines_include_tax: true,
    document_type: 'invoice',
    confidence_score: 0.98,
    warnings: [],
    field_evidence: { total: { page: 1, bbox: [0, 0, 1, 1], text: '100,00\r', confidence: 1 } },
    accounting: null,
    fraud_checks: null,
    _log_id: 7,
  }

  it('is taken as it is: nulls, unknown fields, prices with tax', () => {
    const built = build(extracted)
    expect(value(built.xml, 'TotalGrossAmount')).toBe('82.64')
    expect(independentSums(built.xml)).toEqual([])
    expect(codes(built)).toEqual(['amounts_mismatch', 'amounts_mismatch', 'amounts_mismatch'])
  })

  it('whose line shows price and total but no quantity gets the quantity that makes them agree', () => {
    const unstated = { description: 'B', quantity: null, unit_price: 64, tax_rate: 21, total: 128 }
    const odd = { description: 'C', quantity: null, unit_price: 7, tax_rate: 21, total: 10.01 }
    const plain = {
      ...extracted,
      lines_include_tax: false,
      subtotal: 138.01,
      tax: 28.98,
      total: 166.99,
      tax_breakdown: null,
    }
    const built = build({ ...plain, line_items: [unstated, odd] })
    expect(value(built.xml, 'Quantity')).toBe('2')
    expect(value(built.xml, 'TotalGrossAmount')).toBe('138.01')
    expect(independentSums(built.xml)).toEqual([])
  })

  it('that is no invoice is refused', () => {
    expect(refusal({ ...extracted, document_type: 'proforma' })).toBe(
      'INVALID_INPUT: document_type proforma is no invoice.',
    )
  })

  it('with a line that is printed less a discount carries the discount, when the subtotal confirms it', () => {
    const reduced = { ...line, quantity: 3, unit_price: 13.53, total: 38.56 }
    const built = build({ ...full, line_items: [reduced], subtotal: 38.56, tax: 8.1, total: 46.66 })
    expect(built.xml).toContain('<DiscountRate>5.00</DiscountRate><DiscountAmount>2.03</DiscountAmount>')
    expect(codes(built)).toEqual(['line_discount_derived'])
    expect(refusal({ ...full, line_items: [reduced], subtotal: 40.59, tax: 8.52, total: 49.11 })).toContain(
      'line_items[0].total',
    )
  })

  it('with a recargo in its breakdown carries it', () => {
    const built = build({
      ...full,
      line_items: [line],
      tax: 26.2,
      total: 126.2,
      tax_breakdown: [
        { tax_type: 'IVA', rate: 21, base: 100, amount: 21 },
        { tax_type: 'RE', rate: 5.2, base: 100, amount: 5.2 },
      ],
    })
    expect(value(built.xml, 'EquivalenceSurcharge')).toBe('5.20')
    expect(built.warnings).toEqual([])
  })
})

describe('tax rates', () => {
  it.each([
    ['5 % on staple food in 2023', 'IVA', 5, '2023-05-01', '01'],
    ['7.5 % at the end of 2024', 'IVA', 7.5, '2024-11-01', '01'],
    ['18 % in 2011', 'IVA', 18, '2011-05-05', '01'],
    ['7 % is IGIC today', undefined, 7, '2026-01-01', '03'],
  ])('know %s', (_name, type, rate, date, code) => {
    const { xml } = build({
      ...full,
      invoice_date: date,
      line_items: [{ ...line, tax_rate: rate, tax_type: type }],
      total: null,
    })
    expect(value(xml, 'TaxTypeCode')).toBe(code)
  })

  it('take the tax of the place where the seller is', () => {
    const at = (postCode: string, rate: number) =>
      value(
        build({ ...full, vendor_postal_code: postCode, line_items: [{ ...line, tax_rate: rate }], total: null }).xml,
        'TaxTypeCode',
      )
    expect([at('35001', 0), at('51001', 4), at('28001', 4), at('35001', 21)]).toEqual(['03', '02', '01', '01'])
  })

  it('refuse with 422 a rate that was not in force, and at the door one that never was', () => {
    expect(refusal({ ...full, line_items: [{ ...line, tax_rate: 18 }] })).toBe('422 body.line_items.0.tax_rate')
    expect(invoiceInput.safeParse({ ...full, line_items: [{ ...line, tax_rate: 22 }] }).success).toBe(false)
    expect(invoiceInput.safeParse({ ...full, declared_tax_rate: 19 }).success).toBe(false)
  })

  it('may be those of the date of the operation or of the invoice that is corrected', () => {
    const lines = { line_items: [{ ...line, tax_rate: 5 }], total: null }
    expect(refusal({ ...full, ...lines, operation_date: '2024-09-01' })).toBe('accepted')
    expect(
      refusal({
        ...full,
        ...lines,
        corrective: { number: 'F-0', date: '2024-01-01', reason_code: '11', method: '01' },
      }),
    ).toBe('accepted')
  })
})

describe('parties', () => {
  it.each([
    ['Español Cortés, Juan', 'Juan', 'Español Cortés'],
    ['Juan Español Cortés', 'Juan', 'Español Cortés'],
  ])('split the name of a natural person: %s', (name, first, surname) => {
    const { xml } = build({ ...full, buyer_vat: '99999999R', buyer_name: name })
    expect(xml).toContain(`<Individual><Name>${first}</Name><FirstSurname>${surname}</FirstSurname>`)
  })

  it('use the parts of a name that are given', () => {
    const { xml } = build({
      ...full,
      vendor_vat: '99999999R',
      vendor_first_name: 'Ana',
      vendor_first_surname: 'Gil',
      vendor_second_surname: 'Paz',
    })
    expect(xml).toContain('<Name>Ana</Name><FirstSurname>Gil</FirstSurname><SecondSurname>Paz</SecondSurname>')
  })

  it('know residents of the Union and of elsewhere', () => {
    const of = (country: string, vat: string) => build({ ...full, buyer_country: country, buyer_vat: vat }).xml
    expect(of('PRT', 'PT501964843')).toContain(
      '<ResidenceTypeCode>U</ResidenceTypeCode><TaxIdentificationNumber>PT501964843',
    )
    expect(of('USA', '12-3456789')).toContain('<OverseasAddress>')
  })

  it('are those of seller_info and buyer_info where given', () => {
    const built = build(full, { seller: { name: 'Otra SL', vat: 'ES-B12345674', zip: '08001', city: 'Barcelona' } })
    expect(built.xml).toContain('<CorporateName>Otra SL</CorporateName>')
    expect(built.xml).toContain('<Province>Barcelona</Province>')
    expect(value(built.xml, 'TaxIdentificationNumber')).toBe('B12345674')
  })
})

describe('bad input', () => {
  it.each([
    ['a carriage return', { vendor_name: 'A\rB SL' }, 'vendor_name holds the character U+000D'],
    [
      'a carriage return deep inside',
      { line_items: [{ ...line, description: 'a\r\nb' }] },
      'line_items[0].description holds the character U+000D',
    ],
    ['a control character', { notes: 'a\u0001' }, 'notes holds the character U+0001'],
    ['half a surrogate pair', { notes: 'a\uD800b' }, 'notes holds the character U+D800'],
    ['a number longer than 20', { invoice_number: 'X'.repeat(21) }, 'invoice_number is longer'],
    ['an unknown currency', { currency: 'XXQ' }, 'currency is no ISO 4217'],
    ['an unknown country', { buyer_country: 'QQQ' }, 'buyer_country is no country'],
    ['an attachment that is no base64', { attachments: [{ format: 'pdf', data: '%%%%' }] }, 'attachments[0].data'],
    [
      'an attachment of a format that Facturae lacks',
      { attachments: [{ filename: 'a.png', data: 'AAAA' }] },
      'attachments[0].format',
    ],
  ])('%s is INVALID_INPUT naming the field', (_name, extra, message) => {
    expect(refusal({ ...full, ...extra })).toContain(`INVALID_INPUT: ${message}`)
  })

  it('an IBAN with wrong digits is left out with a warning', () => {
    const built = build({ ...full, iban: 'ES00 2100 0418 4502 0005 1332' })
    expect(codes(built)).toEqual(['iban_invalid'])
    expect(built.xml).not.toContain('<IBAN>')
  })
})

describe('correctives', () => {
  it.each(['01', '02', '03', '04'])('of method %s name what they correct', (method) => {
    const sign = method === '02' ? -1 : 1
    const { xml, warnings } = build({
      ...full,
      line_items: [{ ...line, quantity: sign, total: 100 * sign }],
      total: 121 * sign,
      corrective: { number: 'F-0', series: 'A', date: '2026-01-15', reason_code: '10', method },
    })
    expect(warnings).toEqual([])
    expect(value(xml, 'InvoiceClass')).toBe('OR')
    expect(xml).toContain('<TaxPeriod><StartDate>2026-01-01</StartDate><EndDate>2026-01-31</EndDate></TaxPeriod>')
  })
})

describe('rules of the portal', () => {
  it('become warnings that name number, field and value', () => {
    const built = build({ ...full, vendor_vat: 'B12345678' })
    expect(built.warnings).toMatchObject([
      { code: 'portal_rule', rule: '5b', field: 'Parties/SellerParty/TaxIdentification/TaxIdentificationNumber' },
    ])
  })

  it.each([
    ['5b', { vendor_vat: 'B12345678' }],
    ['5f', { buyer_vat: 'B12345674' }],
    ['7', { invoice_date: '2026-12-31' }],
    ['8', { buyer_vat: 'P2813400E' }],
    ['9', { line_items: [{ ...line, description: ' ' }] }],
  ])('rule %s refuses with strict, and only then', (rule, extra) => {
    const input = {
      ...full,
      administrative_centres: centres,
      ...extra,
      ...(rule === '8' ? { administrative_centres: null } : {}),
    }
    expect(build(input).warnings.map((warning) => warning.rule)).toContain(rule)
    expect(refusal({ ...input, strict: true })).toContain(`INVALID_INPUT: Rule ${rule}: `)
  })

  it('are all kept by an invoice to an administration with its three centres', () => {
    expect(build({ ...full, buyer_vat: 'P2813400E', administrative_centres: centres, strict: true }).warnings).toEqual(
      [],
    )
  })
})

const centres = [
  { role: '01', code: 'L01281343' },
  { role: 2, code: 'L01281343' },
  { role: '03', code: 'L01281343', name: 'Unidad' },
]
