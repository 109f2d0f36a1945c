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
const alarms = (rows: readonly string[]) => read(rows).warnings.filter(({ code }) => code === 'amounts_mismatch')

describe('tables of lines', () => {
  test('finds quantity and amount by their products where the headings say otherwise', () => {
    expect(
      linesOf([
        'Fecha         Descripción                  Peso kg       Expediciones       Precio        Flete',
        '15-jul-26     Irun - Perpignan grupaje       2.300                 10       151,38     1.513,80',
        '16-jul-26     Burgos - Aveiro plataforma    23.100                  4       451,65     1.806,60',
        '17-jul-26     Getafe - Mercabarna frigo     21.500                  2       386,10       772,20',
        '',
        '                                                     Base imponible                  4.092,60',
        '                                                     IVA 21 %                          859,45',
        '                                                     Total                           4.952,05',
      ]),
    ).toEqual([
      ['Irun - Perpignan grupaje', 10, 151.38, 1513.8],
      ['Burgos - Aveiro plataforma', 4, 451.65, 1806.6],
      ['Getafe - Mercabarna frigo', 2, 386.1, 772.2],
    ])
  })

  const certificate = [
    'Unidad                                   A origen     Anterior       Actual       Precio    Importe actual',
    'm2 Solera fratasada 15 cm                   98,10        81,00        17,10        19,35            330,89',
    'ml Pilote CPI-8 diám. 450                   66,20        20,00        46,20        51,82          2.394,08',
    '                             Importe de la certificación (base)                                  2.724,97 €',
    '                             IVA 0% - Inversión del sujeto pasivo, art. 84.Uno.2º f) LIVA             0,00 €',
    '                             Total factura                                                       2.724,97 €',
  ]
  test('keeps numbers within a description, and reads no line from a tax that needs words', () => {
    expect(linesOf(certificate)).toEqual([
      ['m2 Solera fratasada 15 cm', 17.1, 19.35, 330.89],
      ['ml Pilote CPI-8 diám. 450', 46.2, 51.82, 2394.08],
    ])
    expect(read(certificate)).toMatchObject({ subtotal: 2724.97, tax: 0, total: 2724.97 })
  })

  const workshop = [
    'Operación                              Horas         PVP     Dto%        Neto',
    'M.O. Sustituir embrague                 3,00       46,16       30       96,94',
    '                                                  Suma mano de obra:    96,94',
    'Recambio                                Uds.         PVP     Dto%        Neto',
    'Kit embrague bimasa                     1,00      311,79        -      311,79',
    '                                                  Suma recambios:      311,79',
    '',
    'Importe bruto    % Dto. p.p.    Importe dto.    Base imponible    % IVA    Importe IVA     Total',
    '       408,73          10,00           40,87            367,86    21,00          77,25    445,11',
  ]
  test('leaves the sums of sections out, and takes no discount for the rate of the tax', () => {
    expect(linesOf(workshop)).toEqual([
      ['M.O. Sustituir embrague', 3, 46.16, 96.94],
      ['Kit embrague bimasa', 1, 311.79, 311.79],
    ])
    expect(read(workshop)).toMatchObject({ subtotal: 367.86, tax: 77.25, total: 445.11, declared_tax_rate: 21 })
    expect(alarms(workshop)).toEqual([])
  })

  test('takes a heading of two words for one column, and reads minus signs behind numbers', () => {
    expect(
      linesOf([
        'LÍN    DESIGNACIÓN                         CANT.      P.UNIT      IVA    TOTAL LÍN',
        '001    BISAGRA CAZOLETA                    2,00-        1,97     21,0        3,94-',
        '002    GUÍA CAJÓN                          3,00-       21,17     21,0       63,51-',
        '',
        'BASE                %             IVA          TOTAL A ABONAR',
        '67,45-          21,00          14,16-              81,61- EUR',
      ]),
    ).toEqual([
      ['BISAGRA CAZOLETA', -2, 1.97, -3.94],
      ['GUÍA CAJÓN', -3, 21.17, -63.51],
    ])
  })

  test('says that the base is wrong where the sum of the lines stands beside it and bears tax and total', () => {
    const rows = [
      'Género                     Cantidad       Precio       Importe',
      'Bolsa de basura               10,00        40,00        400,00',
      'Vaso de cartón                 5,00        17,26         86,30',
      '',
      'Importe bruto     Base imponible     % IVA     Importe IVA     Total factura',
      '       486,30             483,60     21,00          102,12          588,42 €',
    ]
    expect(alarms(rows)).toMatchObject([{ field: 'subtotal', residue_cents: -270 }])
    expect(alarms(rows.map((row) => row.replace('483,60', '486,30')))).toEqual([])
  })

  test('reads a base glued to the word before it', () => {
    expect(
      read([
        'Neto servicios               756,98',
        'I.G.I.C. 7% s/748,51          52,40',
        'I.G.I.C. 3% s/8,47             0,25',
        'TOTAL EUROS                  809,63',
      ]),
    ).toMatchObject({ subtotal: 756.98, tax: 52.65, total: 809.63, declared_tax_rate: 7 })
  })
})
