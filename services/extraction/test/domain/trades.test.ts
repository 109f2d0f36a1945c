import { describe, expect, test } from 'vitest'
import { understand } from '../../src/domain/understand.ts'
import { documentOf, plainInvoice } from './document-of.ts'

const read = (rows: readonly string[]) => understand(documentOf([...rows]), { today: '2026-12-31' })
const head = plainInvoice.slice(0, 11)
const lines = (rows: readonly string[]) =>
  read([...head, ...rows]).line_items.map(({ description, quantity, unit_price, total }) => [
    description,
    quantity,
    unit_price,
    total,
  ])
const sums = (base: string, tax: string, total: string) => [
  '',
  `Base imponible                              ${base}`,
  `IVA 21 %                                    ${tax}`,
  `Total                                       ${total}`,
]

describe('dates as trades write them', () => {
  const dated = (...rows: string[]) => {
    const { invoice_date, due_date } = read(['Talleres Aneto, S.L.', 'Factura nº 77/25', ...rows])
    return [invoice_date, due_date]
  }
  test.each([
    ['Roman months', ['25-XI-2024', 'Pago antes del 24-I-2025'], ['2024-11-25', '2025-01-24']],
    [
      'words',
      ['Factura nº 77/25, de fecha veintiséis de mayo de dos mil veinticuatro', 'Fecha de otorgamiento: 22/05/2024'],
      ['2024-05-26', null],
    ],
    ['boxes', ['Fecha', '25 02 26'], ['2026-02-25', null]],
    [
      'a charge announced after its date',
      ['emitida el 01.09.2025', 'El 07.09.2025 se cargará en tu cuenta'],
      ['2025-09-01', '2025-09-07'],
    ],
    [
      'the end of a term of payment',
      ['Fecha: 06.04.2025', 'Condiciones de pago: hasta el 06.05.2025 sin deducción'],
      ['2025-04-06', '2025-05-06'],
    ],
    [
      'days and their date',
      ['Fecha: 07/04/2025', 'Pago por transferencia a 85 días: 01/07/2025'],
      ['2025-04-07', '2025-07-01'],
    ],
    [
      'another document within a sentence',
      ['Fecha de expedición 28/06/2026', 'Rectifica a la factura FV-26-17719 de fecha 02/06/2026.'],
      ['2026-06-28', null],
    ],
  ])('reads %s', (_, rows, dates) => {
    expect(dated(...rows)).toEqual(dates)
  })
})

describe('numbers of invoices as trades print them', () => {
  test.each([
    ['after what kind of invoice it is', ['FACTURA TALLER 1043/2025'], '1043/2025'],
    ['under a number sign', ['Fecha          #', '12/05/2025     F255150'], 'F255150'],
    [
      'broken at a dash',
      ['Número del documento   DS-INV-2026-', '                       24069481'],
      'DS-INV-2026-24069481',
    ],
    ['beyond a colon of its own', ['Serie/Nº      :    CR25/991'], 'CR25/991'],
  ])('finds one %s', (_, rows, number) => {
    expect(read(['Talleres Aneto, S.L.', ...rows, ...sums('100,00', '21,00', '121,00')]).invoice_number).toBe(number)
  })
})

describe('lines as trades print them', () => {
  test('reads a percentage in words', () => {
    expect(
      read([
        ...head,
        'Reuniones con la parte contraria                 1.450,00 €',
        'Suman los honorarios                             1.450,00 €',
        'Más 21 por 100 de I.V.A.                           304,50 €',
        'Menos 7 por ciento de retención I.R.P.F.          -101,50 €',
        'Total minuta                                     1.653,00 €',
      ]),
    ).toMatchObject({ subtotal: 1450, tax: 304.5, irpf_rate: 7, declared_tax_rate: 21, total: 1653 })
  })

  test('takes a line exempt from tax for a line', () => {
    expect(
      lines([
        'Contrato     Concepto                                    Base       IVA',
        '275602/1     Cuota arrendamiento                       425,16      21 %',
        '205694/3     Seguro                                     33,28    Exento',
        '850439/2     Mantenimiento                              54,87      21 %',
        ...sums('513,31', '100,81', '614,12'),
      ]).map(([, , , total]) => total),
    ).toEqual([425.16, 33.28, 54.87])
  })

  test('leaves the sum of a group out, whose parts stand indented below it', () => {
    expect(
      lines([
        'Línea 685 823 562                                 22,40',
        '   Tarifa 60 GB                                   11,35',
        '   Seguro de terminal                             11,05',
        'Línea 603 927 413                                 18,95',
        '   Bono 25 GB                                     18,95',
        ...sums('41,35', '8,68', '50,03'),
      ]).map(([description]) => description),
    ).toEqual(['Tarifa 60 GB', 'Seguro de terminal', 'Bono 25 GB'])
  })

  test('describes weighed goods by the row above their weight', () => {
    expect(
      lines([
        'Cant Descripción                          P.Unit       Importe',
        '1    PAN HOGAZA                             1,65          1,65',
        '     TOMATE PERA',
        '     1,210 kg                               2,19          2,65',
        ...sums('3,55', '0,75', '4,30'),
      ]),
    ).toEqual([
      ['PAN HOGAZA', 1, 1.65, 1.65],
      ['TOMATE PERA', 1.21, 2.19, 2.65],
    ])
  })

  test.each([
    [
      'numbers beside their centred headings',
      [
        'Produto              Quilos / litros        Prezo           Importe',
        'Castaña                          7.780     1,620          12.603,60',
      ],
      ['Castaña', 7780, 1.62, 12603.6],
    ],
    [
      'a product in one column',
      [
        'Detalle                            Cantidad x precio         Neto',
        'Frigorífico combi                           2 x 489,00     978,00',
      ],
      ['Frigorífico combi', 2, 489, 978],
    ],
    [
      'a unit glued to the quantity, in reversed columns',
      ['Importe   Tipo   Precio   Uds Artículo', '111,00    21%     1,85    60ud  Gofio millo'],
      ['Gofio millo', 60, 1.85, 111],
    ],
    [
      'blanks between thousands',
      [
        'encargo                                   palabras    € / palabra      importe',
        'Revisión bilingüe                           14 104          0,035       493,64',
      ],
      ['Revisión bilingüe', 14104, 0.035, 493.64],
    ],
    [
      'two headings of cost',
      [
        'Alumnos   Curso                          Coste/alumno            Coste',
        '10        Carretillas elevadoras                93,51           935,10',
      ],
      ['Carretillas elevadoras', 10, 93.51, 935.1],
    ],
  ])('reads %s', (_, rows, line) => {
    expect(lines([...rows, '', 'Total a pagar                               1.000,00'])).toEqual([line])
  })

  test.each([
    [
      'leads dots to the amount',
      'Cambiar bajante..........................60,00€',
      ['Cambiar bajante', null, null, 60],
    ],
    ['counts first', '3 CAÑA                     3,50     10,50', ['CAÑA', 3, 3.5, 10.5]],
    ['dates first', '17/01   Minibar                      12,19', ['Minibar', null, null, 12.19]],
    ['is computed beside', 'Potencia punta     13,856 kW y 33 días     47,45 €', ['Potencia punta', null, null, 47.45]],
    [
      'has an ordinal',
      'Nº 2. Documentos de cuantía               249,62',
      ['Nº 2. Documentos de cuantía', null, null, 249.62],
    ],
  ])('reads a line without headings that %s', (_, row, line) => {
    expect(lines([row, ...sums('999,00', '209,79', '1.208,79')])).toEqual([line])
  })

  test('takes the column that adds up to the base for the amounts', () => {
    expect(
      lines([
        'Concepto                         Cantidad         Cobrado           Importe',
        'Comisión Comercio                        1           151,66           913,07',
        'Comisión Hogar                           1           121,73           733,49',
        ...sums('273,39', '57,41', '330,80'),
      ]).map(([, , , total]) => total),
    ).toEqual([151.66, 121.73])
  })

  test('says that the rate of the lines is another than the one of the quota', () => {
    const rated = (rate: string) =>
      read([
        ...head,
        'Concepto                         Cantidad    Precio    IVA     Importe',
        `Licencia de uso                         2     50,00    ${rate}      100,00`,
        ...sums('100,00', '21,00', '121,00'),
      ]).warnings.filter(({ code }) => code === 'amounts_mismatch')
    expect(rated('21%')).toEqual([])
    expect(rated('10%')).toMatchObject([{ field: 'declared_tax_rate', residue_cents: -1100 }])
  })
})
