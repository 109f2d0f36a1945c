import { describe, expect, test } from 'vitest'
import { understand } from '../../src/domain/understand.ts'
import { documentOf, plainInvoice } from './document-of.ts'

const context = { today: '2026-12-31' }
const read = (rows: readonly string[]) => understand(documentOf([...rows]), context)
const head = plainInvoice.slice(0, 11)
const foot = plainInvoice.slice(15)
const lines = (rows: readonly string[]) =>
  read(rows).line_items.map(({ description, quantity, unit_price, total }) => [
    description,
    quantity,
    unit_price,
    total,
  ])

describe('forms and wording of other programs', () => {
  test('reads labels and headings in two languages with a stroke between them', () => {
    const result = read([
      'Impremta Canigó, S.L.',
      'CIF B22334459',
      '',
      'Núm. factura / Nº factura: 77/25',
      'Data/Fecha: 12/03/2025',
      'Venciment/Vencimiento: 11/04/2025',
      '',
      'Client/Cliente: Ferretería Osca, S.A.',
      'NIF A50112234',
      '',
      'Concepte/Concepto            Quantitat/Cantidad     Preu/Precio     Import/Importe',
      'Targetes                              2                45,00            90,00',
      '',
      'Base imposable/Base imponible              90,00',
      'Quota IVA/Cuota IVA (21%)                  18,90',
      'Total a pagar                             108,90',
      'Forma de pagament/Forma de pago: Transferència/Transferencia',
    ])
    expect(result).toMatchObject({
      invoice_number: '77/25',
      invoice_date: '2025-03-12',
      due_date: '2025-04-11',
      buyer_name: 'Ferretería Osca, S.A.',
      payment_method: 'transferencia',
      total: 108.9,
    })
    expect(result.line_items).toMatchObject([{ description: 'Targetes', quantity: 2, unit_price: 45, total: 90 }])
  })

  test('reads labels in small letters below their values, and shows the value where it is printed', () => {
    const rows = [
      'Talleres Aneto, S.L.   NIF B22334459',
      '',
      '3278/25               7 de febrero de 2025     9 de marzo de 2025',
      'Número de factura     Fecha de expedición      Fecha de vencimiento',
      '',
      'Base imponible                               240,50 €',
      'IVA 21 %                                      50,51 €',
      'Total factura                                291,01 €',
    ]
    const document = documentOf(rows)
    for (const word of document.pages[0]?.words ?? []) if (word.line === 3) word.fontSize = 6
    const result = understand(document, context)
    expect(result).toMatchObject({
      invoice_number: '3278/25',
      invoice_date: '2025-02-07',
      due_date: '2025-03-09',
    })
    const printed = document.pages[0]?.words.find(({ text }) => text === '3278/25')
    expect(result.field_evidence.invoice_number?.bbox[1]).toBeCloseTo(printed?.y0 ?? 0, 2)
  })

  test('finds the lines of a preprinted form without headings by their products', () => {
    expect(
      lines([
        ...head,
        '203.224   Cinta americana 50mm             59,44         3,00          178,32',
        '339576    Codo de PVC                          1         1,92            1,92',
        '',
        '               180,24          21 %             37,85              218,09',
      ]),
    ).toEqual([
      ['Cinta americana 50mm', 59.44, 3, 178.32],
      ['Codo de PVC', 1, 1.92, 1.92],
    ])
  })

  test('proves amounts that no label names, where products, rate and sums leave one choice', () => {
    expect(
      read([
        ...head,
        '203.224   Cinta americana 50mm             59,44         3,00          178,32',
        '339576    Codo de PVC                          1         1,92            1,92',
        '',
        '               180,24          21 %             37,85              218,09',
      ]),
    ).toMatchObject({ subtotal: 180.24, tax: 37.85, total: 218.09, declared_tax_rate: 21 })
  })

  test('takes a bare number between the name of a tax and its amount for the rate', () => {
    const rows = [
      ...plainInvoice.slice(0, 15),
      '',
      'Neto                                         240,50',
      'I.V.A. 21,00                                  50,51',
      'TOTAL EUROS                                  291,01',
    ]
    expect(read(rows)).toMatchObject({ tax: 50.51, declared_tax_rate: 21 })
  })

  test('takes the lines for the base where only tax, withholding and total stand below them', () => {
    const result = read([
      ...head,
      'Asesoramiento jurídico                                1.368,14 €',
      'Más 21 % de I.V.A.                                      287,31 €',
      'Menos 15 % de retención I.R.P.F.                        205,22 €',
      'IMPORTE TOTAL S.E.U.O.                                1.450,23 €',
      'Puede hacerse efectivo mediante transferencia',
    ])
    expect(result).toMatchObject({ subtotal: 1368.14, tax: 287.31, irpf_rate: 15, total: 1450.23 })
    expect(result.payment_method).toBe('transferencia')
    expect(result.line_items).toHaveLength(1)
  })

  test('takes a number that opens the description for the quantity, where the product holds', () => {
    expect(
      lines([
        ...head,
        'Descripción                                     P. Unit         Importe',
        '6 Refresco de cola                                14,57           87,42',
        '3 en raya, juego                                   9,00            9,00',
        'TOTAL                                                             96,42',
      ]),
    ).toEqual([
      ['Refresco de cola', 6, 14.57, 87.42],
      ['3 en raya, juego', null, 9, 9],
    ])
  })

  test('leaves numbered sums of chapters out of the lines', () => {
    expect(
      lines([
        ...head,
        'Nº      Unidad de obra                     Medición      Precio         Importe',
        '1       ALBAÑILERÍA',
        '1.1     Tabique                               10,00       12,00          120,00',
        '        Total capítulo 1                                                 120,00',
        '2       PINTURA',
        '2.1     Plástica lisa                         20,00        6,00          120,00',
        '        Total capítulo 2                                                 120,00',
        '                                      Base imponible                     240,00',
      ]).map(([, ...figures]) => figures),
    ).toEqual([
      [10, 12, 120],
      [20, 6, 120],
    ])
  })

  test('says that a total is wrong where the rows of its taxes add up to another one', () => {
    const folio = (total: string) => [
      ...head,
      'Fecha        Concepto                                     Cargos       Abonos',
      '27/09/25     Alojamiento                                  110,00',
      '28/09/25     Desayuno                                      11,00',
      '',
      `                                 Total cargos EUR         ${total}`,
      'Impuesto        Base imponible        Cuota        Total',
      'IVA 10%                 110,00        11,00       121,00',
    ]
    expect(read(folio('121,00')).warnings.filter(({ code }) => code === 'amounts_mismatch')).toEqual([])
    expect(read(folio('131,00')).warnings).toContainEqual(
      expect.objectContaining({ code: 'amounts_mismatch', residue_cents: 1000 }),
    )
  })

  test('gives neither party the name of the other where their tax ids stand in rows of data', () => {
    expect(
      read([
        'SOLTERRA ALIMENTACION, S.L.            FACTURA',
        'C/ DE LA LIBERTAD, 128',
        '11883-JEREZ DE LA FRONTERA',
        'TEL.: 955 321 377   NIF: B22334459',
        '',
        '                              GESTION ATALAYA S.L.',
        '                              PASEO REAL, 10, BAJO',
        '                              12510 VILA-REAL',
        '',
        'NUM.FACTURA: 00511  FECHA: 09-07-24  CLIENTE: 77874  NIF: A50112234  PAG. 1',
        '--------------------------------------------------------------------------',
        ...foot,
      ]),
    ).toMatchObject({ vendor_name: 'SOLTERRA ALIMENTACION, S.L.', buyer_name: 'GESTION ATALAYA S.L.' })
  })
})
