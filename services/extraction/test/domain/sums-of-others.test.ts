import { isValidTaxId } from '@asiento/proto/tax-id'
import { describe, expect, test } from 'vitest'
import { understand } from '../../src/domain/understand.ts'
import { documentOf } from './document-of.ts'

/** Ways to print sums and parties that programs and trades have of their own. */
const id = (stem: string): string => {
  for (let digit = 0; digit <= 9; digit += 1) if (isValidTaxId(`${stem}${digit}`)) return `${stem}${digit}`
  throw new Error(stem)
}
const head = [
  'Talleres Aneto, S.L.',
  'C/ Mayor, 12',
  '22001 Huesca',
  `CIF ${id('B2233445')}`,
  'Tel. 974 111 222',
  '',
  'Factura nº: F-2025/0107                          Cliente:',
  'Fecha: 12/03/2025                                Ferretería Osca, S.A.',
  `                                                 NIF ${id('A5011223')}`,
  '                                                 50001 Zaragoza',
  '',
  'Descripción                                  Cantidad        Precio         Importe',
]
const line = (text: string, quantity: string, price: string, amount: string) =>
  `${text.padEnd(45)}${quantity.padStart(7)}${price.padStart(14)}${amount.padStart(16)}`
const sum = (label: string, amount: string) => `${' '.repeat(45)}${label.padEnd(30)}${amount.padStart(12)}`
const read = (rows: string[]) => understand(documentOf(rows), { today: '2025-06-01' })
const alarms = (rows: string[]) => read(rows).warnings.filter(({ code }) => code === 'amounts_mismatch')

describe('sums as others print them', () => {
  const works = (base: string, tax: string, total: string) => [
    ...head,
    line('Alicatado', '100', '10,00', '1.000,00'),
    sum('Total ejecutado', base),
    sum('IVA 21 %', tax),
    sum('Total factura', total),
    sum('Retención 5 % por garantía', '-50,00'),
    sum('Líquido a percibir', '1.160,00'),
  ]
  test('takes a guarantee kept back for no withholding, and the total before it for the total', () => {
    const result = read(works('1.000,00', '210,00', '1.210,00'))
    expect(result).toMatchObject({ subtotal: 1000, tax: 210, total: 1210, irpf_rate: null, irpf_amount: null })
    expect(result.warnings).toEqual([])
  })
  test.each([
    ['base', works('1.010,00', '210,00', '1.210,00')],
    ['quota', works('1.000,00', '211,00', '1.210,00')],
    ['total', works('1.000,00', '210,00', '1.220,00')],
  ])('finds a wrong %s under a base that no label names', (_what, rows) => {
    expect(alarms(rows)).not.toEqual([])
  })

  const table = (base: string, quota: string) => [
    ...head,
    line('Neumático', '4', '50,00', '200,00'),
    '                                             Tipo             Base           I.G.I.C.',
    `                                             IGIC 7 %       ${base}           ${quota}`,
    sum('TOTAL', '214,00 €'),
  ]
  test('reads bases and quotas by the headings over them, and finds what is wrong there', () => {
    expect(read(table('200,00', '14,00'))).toMatchObject({ subtotal: 200, tax: 14, total: 214, warnings: [] })
    expect(alarms(table('210,00', '14,00'))).not.toEqual([])
    expect(alarms(table('200,00', '15,00'))).not.toEqual([])
  })

  test('adds several outlays for the customer to the total', () => {
    const rows = [
      ...head,
      line('Recurso', '1', '500,00', '500,00'),
      sum('Base imponible', '500,00'),
      sum('IVA 21 %', '105,00'),
      sum('Retención IRPF 15 %', '-75,00'),
      sum('Suplido: Registro Mercantil', '30,50'),
      sum('Suplido: Burofax', '20,25'),
      sum('TOTAL', '580,75'),
    ]
    expect(read(rows)).toMatchObject({ subtotal: 500, tax: 105, irpf_rate: 15, total: 580.75, warnings: [] })
  })

  test('proves one base with quotas of two rates by what the rates make of it', () => {
    const rows = [
      ...head,
      line('Libro', '10', '20,80', '208,00'),
      line('Tóner', '2', '60,50', '121,00'),
      sum('Subtotal (sin IVA)', '300,00'),
      sum('IVA 21 %', '21,00'),
      sum('IVA 4 %', '8,00'),
      sum('Total (IVA incl.)', '329,00'),
    ]
    expect(read(rows)).toMatchObject({ subtotal: 300, tax: 29, total: 329, declared_tax_rate: 4, warnings: [] })
  })

  test('understands a discount of which only the percentage is printed', () => {
    const rows = [
      ...head,
      line('Taladro', '2', '100,00', '200,00'),
      'Suma importes      Dto. P.P.      Base imponible      IVA      Importe IVA      Total factura',
      '     200,00            5 %              190,00      21 %            39,90             229,90 €',
    ]
    expect(read(rows)).toMatchObject({ subtotal: 190, tax: 39.9, total: 229.9, warnings: [] })
  })
})

describe('numbers and parties as others print them', () => {
  test.each([
    ['Factura nº: FAC 942', 'FAC 942'],
    ['Nº de factura: N 5769', 'N 5769'],
    ['Nº 5769', '5769'],
  ])('reads the number of %s', (label, number) => {
    expect(read([label, 'Fecha: 12/03/2025', 'Total 12,10 €']).invoice_number).toBe(number)
  })

  test('is unsure of a single tax id that nothing says is the vendor’s', () => {
    const evidence = read([
      'Factura 7',
      '',
      `NIF ${id('A5011223')}`,
      '',
      'Fecha 12/03/2025',
      'Total 12,10 €',
    ]).field_evidence
    expect(evidence.vendor_vat?.confidence).toBeLessThan(0.9)
  })

  test('finds no invoice in a contract', () => {
    const rows = [
      'CONTRATO DE ARRENDAMIENTO',
      '',
      'En Huesca, a 12 de marzo de 2025',
      '',
      `Talleres Aneto, S.L., CIF ${id('B2233445')}`,
    ]
    const result = read(rows)
    expect(result.warnings.map(({ code }) => code)).toContain('no_invoice_found')
    expect(result.confidence_score).toBeLessThanOrEqual(0.2)
  })
})
