import { extraction } from '@asiento/proto/schemas/extraction-result'
import { isValidTaxId } from '@asiento/proto/tax-id'
import { describe, expect, test } from 'vitest'
import { understand } from '../../src/domain/understand.ts'
import { documentOf, plainInvoice } from './document-of.ts'

const today = '2025-06-01'
/** Gives the made-up ids of the sample their right control characters. */
const sample = plainInvoice.map((row) =>
  row.replace('B22334459', validId('B2233445')).replace('A50112234', validId('A5011223')),
)
function validId(stem: string): string {
  for (let digit = 0; digit <= 9; digit += 1) if (isValidTaxId(`${stem}${digit}`)) return `${stem}${digit}`
  throw new Error(stem)
}
const read = (rows: readonly string[], context = {}) => understand(documentOf([...rows]), { today, ...context })
const changed = (from: string, to: string) => sample.map((row) => row.replace(from, to))

describe('understanding an invoice', () => {
  test('reads every field of an ordinary invoice, proves its amounts and says where it saw them', () => {
    const result = read(sample)
    expect(result).toMatchObject({
      vendor_name: 'Talleres Aneto, S.L.',
      vendor_vat: validId('B2233445'),
      vendor_address: 'C/ Mayor, 12, 2º B',
      vendor_city: 'Huesca',
      vendor_postal_code: '22001',
      buyer_name: 'Ferretería Osca, S.A.',
      buyer_vat: validId('A5011223'),
      invoice_number: 'F-2025/0107',
      invoice_date: '2025-03-12',
      due_date: '2025-04-11',
      subtotal: 240.5,
      tax: 50.51,
      total: 291.01,
      declared_tax_rate: 21,
      irpf_rate: null,
      iban: 'ES9121000418450200051332',
      payment_method: 'transferencia',
      document_type: 'invoice',
      language: 'es',
      warnings: [],
    })
    expect(result.line_items).toEqual([
      { description: 'Cambio de aceite', quantity: 2, unit_price: 45, tax_rate: 21, total: 90 },
      { description: 'Filtro de aire', quantity: 1, unit_price: 10.5, tax_rate: 21, total: 10.5 },
      { description: 'Mano de obra (h)', quantity: 3.5, unit_price: 40, tax_rate: 21, total: 140 },
    ])
    expect(result.confidence_score).toBeGreaterThanOrEqual(0.9)
    expect(result.field_evidence.total).toMatchObject({ page: 1, text: '291,01 €' })
    expect(extraction.safeParse(result).success).toBe(true)
  })

  test('gives the same answer for the same document', () => {
    expect(read(sample)).toEqual(read(sample))
  })

  test('takes the account itself for the buyer where nothing else tells the parties apart', () => {
    const own = validId('B2233445')
    const rows = [`NIF ${own}`, '', '', '', `NIF ${validId('A5011223')}`, '', 'Factura 7', 'Total 12,10 €']
    expect(read(rows).vendor_vat).toBe(own)
    expect(read(rows, { accountTaxId: own }).buyer_vat).toBe(own)
  })

  test('leaves the account the vendor of an invoice whose registry line says so', () => {
    const own = validId('B2233445')
    const registry = `Inscrita en el Registro Mercantil de Lugo, Tomo 12, Folio 3, NIF ${own}`
    const rows = [`NIF ${validId('A5011223')}`, '', 'Factura 7', 'Total 12,10 €', '', '', '', registry]
    expect(read(rows, { accountTaxId: own })).toMatchObject({ vendor_vat: own, buyer_vat: validId('A5011223') })
  })

  test('takes the one with bank data below, or whose name the mail address bears, for the vendor', () => {
    const [first, second] = [validId('B2233445'), validId('A5011223')]
    const parties = (below: string) => [
      'Bodegas Ledesma S.L.',
      'Calle Mayor 4',
      '26001 Logroño',
      `NIF ${first}`,
      '',
      '',
      '',
      'Harinas Castrejón S.A.',
      'Calle Menor 9',
      '47001 Valladolid',
      `NIF ${second}`,
      below,
      '',
      '',
      'Factura 7',
      'Total 12,10 €',
    ]
    expect(read(parties('')).vendor_vat).toBe(first)
    expect(read(parties('IBAN ES91 2100 0418 4502 0005 1332')).vendor_vat).toBe(second)
    expect(read([...parties(''), '', 'pedidos@harinascastrejon.es']).vendor_vat).toBe(second)
  })

  const planted: [string, string, string, string, number][] = [
    ['total', 'Total factura                291,01', 'Total factura                292,01', 'total', 100],
    ['quota', 'IVA 21 %                      50,51', 'IVA 21 %                      51,51', 'tax', 100],
    ['base', 'Base imponible               240,50', 'Base imponible               241,50', 'subtotal', 100],
    ['rate', 'IVA 21 %', 'IVA 10 %', 'declared_tax_rate', 2646],
    ['line', '45,00           90,00', '45,00           95,00', 'line_items[0].total', 500],
  ]
  test.each(planted)('finds a wrong %s and names it with its residue in cents', (_name, from, to, field, residue) => {
    const result = read(changed(from, to))
    expect(result.warnings).toContainEqual(
      expect.objectContaining({ code: 'amounts_mismatch', field, residue_cents: residue }),
    )
    expect(result.confidence_score).toBeLessThan(0.9)
  })

  test('caps the score when a mandatory field is missing, and lower when two are', () => {
    const one = read(changed('Factura nº: F-2025/0107', ''))
    expect(one.invoice_number).toBeNull()
    expect(one.warnings).toContainEqual(expect.objectContaining({ code: 'missing_field', field: 'invoice_number' }))
    expect(one.confidence_score).toBeLessThanOrEqual(0.89)
    const two = read(
      changed('Factura nº: F-2025/0107', '').map((row) =>
        row.replace('Fecha: 12/03/2025', '').replace('Vencimiento: 11/04/2025', ''),
      ),
    )
    expect(two.confidence_score).toBeLessThanOrEqual(0.69)
  })

  test('finds no invoice in a letter and says what a delivery note is', () => {
    const letter = read(['Estimado vecino:', 'Le recordamos que la reunión será el jueves.'])
    expect(letter.warnings.map((warning) => warning.code)).toContain('no_invoice_found')
    expect(letter.confidence_score).toBeLessThanOrEqual(0.2)
    const note = read(
      changed('Factura nº: F-2025/0107', 'ALBARÁN Nº 107').map((row) => row.replace('Total factura', 'Total')),
    )
    expect(note.document_type).toBe('delivery_note')
    expect(note.warnings.map((warning) => warning.code)).toContain('not_an_invoice')
    expect(note.confidence_score).toBeLessThanOrEqual(0.2)
  })

  test('keeps the sign of a corrective invoice and never takes the number of the corrected one', () => {
    const rows = [
      'Factura rectificativa',
      'Número: R-12',
      'Factura rectificada: F-2025/0107',
      `NIF ${validId('B2233445')}`,
      '',
      'Base imponible   -100,00',
      'IVA 21 %   -21,00',
      'Total   -121,00',
    ]
    expect(read(rows)).toMatchObject({
      invoice_number: 'R-12',
      subtotal: -100,
      tax: -21,
      total: -121,
      document_type: 'corrective',
    })
  })

  test('reads a withholding as a negative amount with its rate', () => {
    const rows = changed('Total factura                291,01', 'Retención IRPF 15 %          -36,08').toSpliced(
      19,
      0,
      '                                             Total a pagar                254,93 €',
    )
    expect(read(rows)).toMatchObject({ irpf_rate: 15, irpf_amount: -36.08, total: 254.93, warnings: [] })
  })

  test('ends within seconds of computing on a page of ten thousand numbers', () => {
    const rows = Array.from({ length: 1000 }, (_, row) =>
      Array.from({ length: 10 }, (_, column) =>
        `${((row * 7919 + column * 104729) % 99991) / 100}`.replace('.', ',').replace(/,(\d)$/, ',$10'),
      ).join('  '),
    )
    const before = process.cpuUsage()
    read(rows)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(4)
  })
})
