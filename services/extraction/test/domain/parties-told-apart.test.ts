import { isValidTaxId } from '@asiento/proto/tax-id'
import { describe, expect, test } from 'vitest'
import { understand } from '../../src/domain/understand.ts'
import { documentOf } from './document-of.ts'

const withSign = (stem: string): string => {
  for (const sign of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ') if (isValidTaxId(`${stem}${sign}`)) return `${stem}${sign}`
  throw new Error(stem)
}
const firm = withSign('B3412210')
const other = withSign('A5011223')
const person = withSign('40213776')
const body = withSign('Q0801022')
const today = '2026-12-31'
const amounts = ['', 'Base imponible      100,00', 'IVA 21 %             21,00', 'Total               121,00']
const number = ['', 'Factura nº 405-07-26    Fecha 23/07/2026', '']

/** Two blocks side by side, 50 columns apart. */
const beside = (left: readonly string[], right: readonly string[]): string[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
    `${(left[at] ?? '').padEnd(50)}${right[at] ?? ''}`.trimEnd(),
  )
const read = (...rows: string[]) => understand(documentOf(rows), { today })
const sure = (result: ReturnType<typeof read>, field: string) => (result.field_evidence[field]?.confidence ?? 0) >= 0.9

const rentas = ['Rentas Bidasoa, S.L.', 'Calle Mayor, 3', '20301 Irun', `NIF ${firm}`]
const aneto = ['Talleres Aneto, S.A.', 'Avda. Pirineos, 9', '22001 Huesca', `NIF ${other}`]

describe('the two parties are told apart', () => {
  test.each([
    ['Catalan tenant and owner', 'ARRENDATÀRIA', 'PROPIETAT (ARRENDADORA)'],
    ['owner and tenant', 'INQUILINO', 'PROPIETARIO'],
    ['client in brackets behind a word for either', 'PROMOTOR / CONTRATISTA (CLIENTE)', 'EMPRESA EJECUTORA'],
    ['owner of the works and contractor', 'PROPIEDAD', 'CONTRATISTA'],
    ['contractor and subcontractor', 'CONTRATISTA', 'SUBCONTRATISTA'],
    ['English lessee and lessor', 'LESSEE', 'LESSOR'],
    ['Basque customer and issuer', 'HARTZAILEA', 'IGORLEA'],
    ['Galician customer and issuer', 'DATOS DO CLIENTE', 'DATOS DO EMISOR'],
  ])('by their labels: %s', (_, buyer, vendor) => {
    const result = read(...number, ...beside([buyer, ...aneto], [vendor, ...rentas]), ...amounts)
    expect(result).toMatchObject({
      vendor_name: 'Rentas Bidasoa, S.L.',
      vendor_vat: firm,
      vendor_address: 'Calle Mayor, 3',
      vendor_city: 'Irun',
      buyer_name: 'Talleres Aneto, S.A.',
      buyer_vat: other,
    })
    expect(sure(result, 'vendor_vat') && sure(result, 'buyer_vat')).toBe(true)
  })

  test('by the number that one is a customer under', () => {
    const result = read(...beside([...aneto, 'Cliente nº 6694 Ruta 7'], rentas), ...number, ...amounts)
    expect(result).toMatchObject({ vendor_vat: firm, buyer_vat: other })
  })

  test('by the offices of the administration that pays', () => {
    const result = read(
      ...beside([...aneto, 'Oficina contable L01280796', 'Órgano gestor L01280796'], rentas),
      ...number,
      ...amounts,
    )
    expect(result).toMatchObject({ vendor_vat: firm, buyer_vat: other })
  })

  test('by the tax withheld from the one who is a natural person', () => {
    const block = ['Unai Lasa Vega', 'Calle Real, 4', '37001 Salamanca', `NIF ${person}`]
    const rows = [
      ...beside(aneto, block),
      ...number,
      'Base imponible      100,00',
      'IVA 21 %             21,00',
      'Retención IRPF 15 % -15,00',
      'Total               106,00',
    ]
    expect(read(...rows)).toMatchObject({ vendor_vat: person, vendor_name: 'Unai Lasa Vega', buyer_vat: other })
  })

  test('by the sentence on data protection that only the issuer prints', () => {
    const result = read(
      ...beside(aneto, rentas),
      ...number,
      ...amounts,
      '',
      'Sus datos se tratan conforme al RGPD por Rentas Bidasoa, S.L. para gestionar esta factura.',
    )
    expect(result).toMatchObject({ vendor_vat: firm, buyer_vat: other })
  })

  test('and nothing is sure where only their order tells', () => {
    const result = read(...beside(rentas, aneto), ...number, ...amounts)
    for (const field of ['vendor_name', 'vendor_vat', 'buyer_name', 'buyer_vat'])
      expect(sure(result, field)).toBe(false)
  })

  test.each([
    [
      'a body in brackets',
      `El cànon és un ingrés de l'Agència Catalana de l'Aigua (${body}). Reg. Merc. de Vic, T. 8126`,
    ],
    ['an insurer', `Opción de compra no incluida. Aseguradora: Previsora Ibérica, S.A., ${body}.`],
    ['a bracket in the next row', `Otorgante de la escritura que se cita en el acto: Las Encinas\n(${body})`],
  ])('without %s, which is neither', (_, sentence) => {
    const result = read(
      ...rentas,
      '',
      `${''.padEnd(50)}Talleres Aneto, S.A.`,
      `${''.padEnd(50)}22001 Huesca`,
      '',
      `Núm. factura          NIF client`,
      `2024/40-585398        ${other}`,
      ...amounts,
      '',
      ...sentence.split('\n'),
    )
    expect(result).toMatchObject({ vendor_vat: firm, vendor_name: 'Rentas Bidasoa, S.L.', buyer_vat: other })
  })

  test('by a table with a party in each row', () => {
    const result = read(
      'Factura nº 405-07-26',
      '',
      `Propiedad             Talleres Aneto, S.A.            NIF ${other}`,
      `Contratista           Rentas Bidasoa, S.L.            NIF ${firm}`,
      'Domicilio             Calle Mayor, 3, 20301 Irun',
      `Dirección facultativa Estudio Lamela, S.C.            NIF ${withSign('J5544332')}`,
      'Fecha                 23/07/2026',
      ...amounts,
    )
    expect(result).toMatchObject({
      vendor_name: 'Rentas Bidasoa, S.L.',
      vendor_vat: firm,
      vendor_address: 'Calle Mayor, 3',
      vendor_city: 'Irun',
      buyer_name: 'Talleres Aneto, S.A.',
      buyer_vat: other,
    })
  })

  test('by what a label of either side stands under', () => {
    const result = read(
      'HOTEL MIRAMAR',
      ...rentas,
      '',
      'Huésped: Antonio Reina Vargas    Habitación: 214',
      'Empresa: Talleres Aneto, S.A.',
      `CIF: ${other}`,
      ...number,
      ...amounts,
    )
    expect(result).toMatchObject({ vendor_vat: firm, buyer_vat: other, buyer_name: 'Talleres Aneto, S.A.' })
  })

  test.each([
    ['Ihre USt-IdNr.:', 'Unsere USt-IdNr.:'],
    ['Su NIF:', 'Nuestro NIF:'],
    ['Your VAT:', 'Our VAT:'],
  ])('by whose id it is said to be: %s', (yours, ours) => {
    const result = read(
      `${''.padEnd(50)}Talleres Aneto, S.A.`,
      `${''.padEnd(50)}Avda. Pirineos, 9`,
      `${''.padEnd(50)}22001 Huesca`,
      '',
      `${yours} ES${other}`,
      `${ours} ES${firm}`,
      ...number,
      ...amounts,
    )
    expect(result).toMatchObject({ vendor_vat: firm, buyer_vat: other, buyer_name: 'Talleres Aneto, S.A.' })
  })

  test('and who receives the goods is not who is charged for them', () => {
    const result = read(
      ...beside(rentas, ['FACTURAR A', ...aneto]),
      ...number,
      ...beside(
        ['REMITENTE', 'Envasados Genil, S.L.', `CIF ${withSign('B1800112')}`, '18300 Loja'],
        ['DESTINATARIO', 'Supermercados Duero, S.L.', `CIF ${withSign('B4700112')}`, '47012 Valladolid'],
      ),
      ...amounts,
    )
    expect(result).toMatchObject({ vendor_vat: firm, buyer_name: 'Talleres Aneto, S.A.', buyer_vat: other })
  })

  test('by columns, however far down each has its tax id', () => {
    const long = ['Rentas Bidasoa, S.L.', 'Calle Mayor, 3', 'Edificio Norte', '20301 Irun', `NIF ${firm}`]
    expect(read(...beside(long, aneto), ...number, ...amounts)).toMatchObject({ vendor_vat: firm, buyer_vat: other })
  })

  test('by labels that stay with the id in their own cell', () => {
    const result = read(
      `DE: Rentas Bidasoa, S.L. (CIF ${firm}), con domicilio en Calle Mayor, 3, 20301 Irun`,
      `A: Talleres Aneto, S.A. (CIF ${other}), con domicilio en Avda. Pirineos, 9, 22001 Huesca`,
      `Número: 26/019. Fecha: 28/02/2026. Obra: Túnel de Pajares, promovida por Adif (${body}).`,
      ...amounts,
    )
    expect(result).toMatchObject({ vendor_vat: firm, buyer_vat: other, buyer_city: 'Huesca' })
  })

  test('the salesman is not the seller', () => {
    const result = read(
      ...beside(
        ['Venta a-Nº cliente   C02063', `CIF/NIF cliente      ${other}`, 'Nº factura           FVR25-901074'],
        ['Rentas Bidasoa, S.L.', 'Calle Mayor, 3', '20301 Irun'],
      ),
      ...beside([], ['', `CIF/NIF         ${firm}`, '', 'Vendedor        Marisa L.']),
      ...amounts,
    )
    expect(result).toMatchObject({ vendor_name: 'Rentas Bidasoa, S.L.', vendor_vat: firm, vendor_city: 'Irun' })
  })
})
