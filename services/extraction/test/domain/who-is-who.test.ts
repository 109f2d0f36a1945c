import { isValidTaxId } from '@asiento/proto/tax-id'
import { describe, expect, test } from 'vitest'
import { understand } from '../../src/domain/understand.ts'
import { documentOf } from './document-of.ts'

const withDigit = (stem: string): string => {
  for (let digit = 0; digit <= 9; digit += 1) if (isValidTaxId(`${stem}${digit}`)) return `${stem}${digit}`
  throw new Error(stem)
}
const issuer = withDigit('B3412210')
const customer = withDigit('A5011223')
const read = (rows: readonly string[]) => understand(documentOf([...rows]), { today: '2026-12-31' })
const amounts = ['', 'Base imponible      100,00', 'IVA 21 %             21,00', 'Total               121,00']

describe('who is who on an invoice', () => {
  test('takes who signs a receipt for its issuer, and who paid for the customer', () => {
    const result = read([
      'RECIBO-FACTURA Nº 04/2026-L6',
      '                                   Vilafranca del Penedès, 9 de abril de 2026',
      '',
      `He recibido de Talleres Aneto, S.L., con NIF ${customer} y domicilio en`,
      'C/ Severo Ochoa, 116, 36231 Vigo, en concepto de arrendamiento:',
      ...amounts,
      '',
      'Fdo.: Rentas Bidasoa, S.L.',
      `C.I.F. ${issuer}`,
      'Glorieta de Bilbao, 7',
      '32481 Ourense',
    ])
    expect(result).toMatchObject({
      vendor_name: 'Rentas Bidasoa, S.L.',
      vendor_vat: issuer,
      vendor_city: 'Ourense',
      buyer_name: 'Talleres Aneto, S.L.',
      buyer_vat: customer,
      invoice_number: '04/2026-L6',
      invoice_date: '2026-04-09',
    })
  })

  test.each([
    ['a label of another trade', [`CARGADOR Lumbre 30, S.L.`, `NIF ${customer}`], 'Lumbre 30, S.L.'],
    ['both genders of a label', [`Interesado/a: Lumbre 30, S.L.`, `NIF: ${customer}`], 'Lumbre 30, S.L.'],
    [
      'a label nobody listed',
      [`Cliente:`, `Denominación jurídica:Lumbre 30, S.L.`, `NIF: ${customer}`],
      'Lumbre 30, S.L.',
    ],
    [
      'a name broken after a preposition',
      [`Cliente: Ayuntamiento de Sant Cugat del`, `Vallès`, `NIF: ${customer}`],
      'Ayuntamiento de Sant Cugat del Vallès',
    ],
    [
      'a name with a year, broken before its legal form',
      [`Cliente: Comercial Nogueira 2010`, `SOCIEDAD ANÓNIMA`, `NIF: ${customer}`],
      'Comercial Nogueira 2010 SOCIEDAD ANÓNIMA',
    ],
  ])('reads the name behind %s', (_, block, name) => {
    const result = read([
      'Instal·lacions Peña Corada, S.A.',
      `CIF ${issuer}`,
      'Pol. Ind. El Viso, nave 47',
      '28906-Getafe',
      '',
      ...block,
      '',
      'Factura nº 405-07-26    Fecha 23/07/2026',
      ...amounts,
    ])
    expect(result).toMatchObject({
      vendor_name: 'Instal·lacions Peña Corada, S.A.',
      vendor_postal_code: '28906',
      vendor_city: 'Getafe',
      buyer_name: name,
      buyer_vat: customer,
    })
  })

  test('keeps two parties apart that stand right below each other', () => {
    const result = read([
      'Titular: Dámaso Tejedor Ferrándiz',
      'Calle Aragó, 20, bajo, 46132 Paterna',
      `D.N.I./C.I.F. ${customer}`,
      'Talleres Miravet 2010 SOC. LTDA.',
      'Parque Tecnológico, Edificio 200',
      '21193 Huelva',
      `C.I.F. ${issuer}`,
      '',
      'Factura nº 405    Fecha 23/07/2026',
      ...amounts,
    ])
    expect(result).toMatchObject({
      vendor_name: 'Talleres Miravet 2010 SOC. LTDA.',
      vendor_vat: issuer,
      vendor_city: 'Huelva',
      buyer_name: 'Dámaso Tejedor Ferrándiz',
      buyer_vat: customer,
      buyer_city: 'Paterna',
    })
  })

  test('leaves the date of a corrected invoice to that invoice', () => {
    const result = read([
      'Carpintería Bidasoa, S.L.                 N.FACTURA RECT:   RC2439458',
      `NIF ${issuer}                             FECHA EMISION :   13/08/2024`,
      '                                          FRA. ORIGINAL :   4014376',
      '                                          DE FECHA      :   31/07/2024',
      ...amounts,
    ])
    expect(result).toMatchObject({ invoice_number: 'RC2439458', invoice_date: '2024-08-13' })
  })
})
