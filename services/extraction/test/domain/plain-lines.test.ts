import { describe, expect, test } from 'vitest'
import { understand } from '../../src/domain/understand.ts'
import { documentOf } from './document-of.ts'

const read = (rows: readonly string[]) => understand(documentOf([...rows]), { today: '2026-12-31' })
const linesOf = (rows: readonly string[]) =>
  read(rows).line_items.map(({ description, quantity, unit_price, total }) => [
    description,
    quantity,
    unit_price,
    total,
  ])

describe('lines without headings', () => {
  test('takes charges called quota or tax for lines, and the product beside one for its quantity and price', () => {
    expect(
      linesOf([
        'IMPORTE TOTAL                                     132,93 €',
        '',
        'Cuota de servicio                                  10,00 €',
        'Energía activa     200 kWh x 0,400000 €/kWh        80,00 €',
        'Impuesto eléctrico                                 19,86 €',
        'Base imponible                                    109,86 €',
        'IVA 21 %                                           23,07 €',
        'Total a pagar                                     132,93 €',
      ]),
    ).toEqual([
      ['Cuota de servicio', null, null, 10],
      ['Energía activa', 200, 0.4, 80],
      ['Impuesto eléctrico', null, null, 19.86],
    ])
  })

  test('leaves outlays for the customer out of the lines, above a row of headings of sums', () => {
    const rows = [
      'HONORARIOS',
      'Arancel nº 2: compraventa                              695,60',
      'Legitimación de firmas                                 166,33',
      'SUPLIDOS POR CUENTA DEL CLIENTE',
      'Tasa del registro                                      300,93',
      '',
      '    Base       IVA 21%      Retención 15%       Suplidos      Total factura',
      '    861,93      181,01           -129,29          300,93           1.214,58',
    ]
    expect(linesOf(rows)).toEqual([
      ['Arancel nº 2: compraventa', null, null, 695.6],
      ['Legitimación de firmas', null, null, 166.33],
    ])
    expect(read(rows)).toMatchObject({ subtotal: 861.93, tax: 181.01, irpf_amount: -129.29, total: 1214.58 })
  })

  test('ends the lines where sums are added to and taken off with words', () => {
    expect(
      linesOf([
        'Renta del local                         659,19 €',
        'Suma (base imponible)                   659,19 €',
        'Más 21% I.V.A.                          138,43 €',
        'Menos 19% retención I.R.P.F.            125,25 €',
        'Total recibo                            672,37 €',
      ]),
    ).toEqual([['Renta del local', null, null, 659.19]])
  })
})
