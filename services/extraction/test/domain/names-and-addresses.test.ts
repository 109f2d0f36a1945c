import { isValidTaxId } from '@asiento/proto/tax-id'
import { describe, expect, test } from 'vitest'
import { understand } from '../../src/domain/understand.ts'
import { documentOf } from './document-of.ts'

const withSign = (stem: string): string => {
  for (const sign of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ') if (isValidTaxId(`${stem}${sign}`)) return `${stem}${sign}`
  throw new Error(stem)
}
const firm = withSign('B3412210')
const person = withSign('40213776')
const community = withSign('H5011223')
const amounts = ['', 'Base imponible      100,00', 'IVA 21 %             21,00', 'Total               121,00']
const issuer = ['Rentas Bidasoa, S.L.', 'Calle Mayor, 3', '20301 Irun', `NIF ${firm}`]

const page = (rows: readonly string[], bold: readonly string[] = []) => {
  const document = documentOf([...rows])
  for (const word of document.pages[0]?.words ?? []) {
    if (bold.includes(rows[word.line] ?? '')) word.bold = true
  }
  return understand(document, { today: '2026-12-31' })
}
const withBuyer = (block: readonly string[], bold: readonly string[] = []) =>
  page([...issuer, '', ...block, '', 'Factura nº 405-07-26    Fecha 23/07/2026', ...amounts], bold)
const withVendor = (block: readonly string[]) =>
  page([...block, '', 'Cliente: Talleres Aneto, S.A.', '', 'Factura nº 405-07-26    Fecha 23/07/2026', ...amounts])

describe('names', () => {
  test.each([
    ['a community of owners', 'C.P. Edificio Las Torres'],
    ['one called by its street', 'Cdad. Prop. C/ Mayor, 12'],
    ['one in full', 'Comunidad de Propietarios Avenida Tolosa 7'],
    ['one in Catalan', 'Comunitat de Propietaris Carrer Nou 21'],
    ['a cooperative that begins with its form', 'SDAD. COOP. AND. CAMPO DE NÍJAR'],
    ['a union of firms', 'UTE Variante Sur (Ley 18/1982)'],
    ['a council', 'Excmo. Ayuntamiento de Villaluenga'],
    ['a parish', 'Parroquia de San Andrés Apóstol'],
    ['a school', 'IES Gonzalo de Berceo'],
    ['a firm that begins like a label', 'Promotora Residencial Alameda, S.L.'],
  ])('of %s', (_, name) => {
    const result = withBuyer([`Cliente: ${name}`, 'Calle Herreros 4', '06006 Badajoz', `NIF ${community}`])
    expect(result).toMatchObject({ buyer_name: name, buyer_vat: community, buyer_address: 'Calle Herreros 4' })
  })

  test('of a community with its address in the same row', () => {
    const result = withBuyer([`Cliente: C.P. Las Torres, C/ Mayor 12, 06006 Badajoz`, `NIF ${community}`])
    expect(result).toMatchObject({ buyer_name: 'C.P. Las Torres', buyer_address: 'C/ Mayor 12', buyer_city: 'Badajoz' })
  })

  test('without the courtesy before them', () => {
    const result = withVendor(['D./Dña. Remedios Aldecoa Finat', 'Calle Mayor, 3', '20301 Irun', `NIF ${firm}`])
    expect(result).toMatchObject({ vendor_name: 'Remedios Aldecoa Finat', vendor_vat: firm })
  })

  test.each([
    [
      'the one before the brackets, not the brand',
      [`La Huerta de Rosa`, `Rosa Vidal Company (${firm})`],
      'Rosa Vidal Company',
    ],
    ['a lady', [`ARRENDADORA: Doña Lucía Ferrer Alonso`, `N.I.F. ${firm}`], 'Lucía Ferrer Alonso'],
    [
      'behind a label of several words',
      [`Razón social emisor: Frutas Cinca, S.A.T.`, `NIF emisor: ${firm}`],
      'Frutas Cinca, S.A.T.',
    ],
    ['surname first', ['PÉREZ RUIZ, JUAN ANTONIO', `N.I.F. ${firm}`], 'PÉREZ RUIZ, JUAN ANTONIO'],
    ['a German limited partnership', ['Kessler Teile GmbH & Co. KG', `N.I.F. ${firm}`], 'Kessler Teile GmbH & Co. KG'],
  ])('of %s', (_, rows, name) => {
    expect(withVendor([...rows, 'Calle Mayor, 3', '20301 Irun'])).toMatchObject({ vendor_name: name, vendor_vat: firm })
  })

  test.each([
    [
      'below her brand',
      ['CLÍNICA SAN ANTÓN', `Laura Esteban Gil · Colegiada 3311 · NIF ${person}`],
      'Laura Esteban Gil',
    ],
    ['behind a preposition', ['FERRETERÍA LOS ARCOS', 'de Jesús Arcos Román', `NIF ${person}`], 'Jesús Arcos Román'],
  ])('of the natural person whose tax id it is, %s', (_, rows, name) => {
    expect(withVendor([...rows, 'Calle Mayor, 3', '20301 Irun'])).toMatchObject({
      vendor_name: name,
      vendor_vat: person,
    })
  })

  test.each([['Homegear Retail S.à r.l., Sucursal en España'], ['Domínguez Asesores, Sociedad Limitada Profesional']])(
    'whole: %s',
    (name) => {
      expect(withVendor([name, 'Calle Mayor, 3', '20301 Irun', `NIF ${firm}`])).toMatchObject({ vendor_name: name })
    },
  )

  test('in a foot of three columns', () => {
    const result = page([
      'Cliente: Talleres Aneto, S.A.',
      'Factura nº 405-07-26    Fecha 23/07/2026',
      ...amounts,
      ...Array.from({ length: 30 }, () => ''),
      `Rentas Bidasoa, S.L.          20301 Irun (Gipuzkoa)         C.I.F. ${firm}`,
      'Polígono Bidaurre, nave 4     Tel. 943 000 111              R.M. Gipuzkoa, T. 812, F. 44',
    ])
    expect(result).toMatchObject({
      vendor_name: 'Rentas Bidasoa, S.L.',
      vendor_vat: firm,
      vendor_address: 'Polígono Bidaurre, nave 4',
      vendor_city: 'Irun',
    })
  })

  test('in bold over two rows', () => {
    const name = ['Parroquia de San Andrés', 'Apóstol']
    const result = withBuyer(['CLIENTE', ...name, `${community}`, 'Calle Herreros 4', '06006 Badajoz'], name)
    expect(result).toMatchObject({ buyer_name: 'Parroquia de San Andrés Apóstol', buyer_vat: community })
  })

  test('and not what somebody is, in bold below it', () => {
    const rows = ['Leocadia Trueba Manzanedo', 'Abogada']
    const result = withBuyer(['CLIENTE', ...rows, `${community}`, 'Calle Herreros 4', '06006 Badajoz'], rows)
    expect(result).toMatchObject({ buyer_name: 'Leocadia Trueba Manzanedo' })
  })

  test.each([['Clínica Veterinaria Bosco, C.B.'], ['Colegio Oficial de Aparejadores'], ['Palacios & Palacios, S.L.']])(
    'within a sentence: %s',
    (name) => {
      const result = page([
        ...issuer,
        '',
        'MINUTA DE HONORARIOS que, por los servicios que se detallan, presenta el',
        `Letrado que suscribe a ${name}, con N.I.F. ${community} y domicilio en`,
        'Badajoz (06006), Calle Herreros 4.',
        '',
        'Asunto: Procedimiento Ordinario 412/2023',
        ...amounts,
      ])
      expect(result).toMatchObject({ vendor_vat: firm, buyer_vat: community, buyer_name: name })
    },
  )
})

describe('issuers from abroad', () => {
  test.each([
    {
      name: 'Mailfern International Unlimited Company',
      rows: ['3rd Floor, 70 Sir John Rogerson Quay', 'Dublin D02 R296', 'Ireland', 'VAT IE6388047V'],
      read: ['IE6388047V', '3rd Floor, 70 Sir John Rogerson Quay', 'Dublin', 'D02 R296', 'IRL'],
    },
    {
      name: 'Cloudquay S.à r.l.',
      rows: ['38 avenue de la Liberté', 'L-1930 Luxembourg', 'VAT Reg. No.: LU 26375245'],
      read: ['LU26375245', '38 avenue de la Liberté', 'Luxembourg', 'L-1930', 'LUX'],
    },
    {
      name: 'Rheintal Werkzeuge GmbH',
      rows: ['Lindenstraße 14', '10115 Berlin', 'Deutschland', 'USt-IdNr. DE 136 695 976'],
      read: ['DE136695976', 'Lindenstraße 14', 'Berlin', '10115', 'DEU'],
    },
    {
      name: 'Tecelagem do Minho, Lda.',
      rows: ['Rua de Santa Catarina, 120', '4000-447 Porto', 'Portugal', 'NIF PT501964843'],
      read: ['PT501964843', 'Rua de Santa Catarina, 120', 'Porto', '4000-447', 'PRT'],
    },
    {
      name: 'Harrow Press Ltd',
      rows: ['Unit 4, 12 Mill Lane, London EC1A 1BB', 'United Kingdom', 'VAT No: GB 434 0314 94'],
      read: ['GB434031494', 'Unit 4, 12 Mill Lane', 'London', 'EC1A 1BB', 'GBR'],
    },
    {
      name: 'Threadpeak, Inc.',
      rows: ['548 Market Street, Suite 210', 'San Francisco, California 94104', 'United States', 'VAT EU372041333'],
      read: ['EU372041333', '548 Market Street, Suite 210', 'San Francisco', '94104', 'USA'],
    },
    {
      name: 'Grachten Media B.V.',
      rows: ['Keizersgracht 121', '1015 CJ Amsterdam', 'BTW-nr: NL004495445B01'],
      read: ['NL004495445B01', 'Keizersgracht 121', 'Amsterdam', '1015 CJ', 'NLD'],
    },
  ])('$name', ({ name, rows, read: [vat, street, city, postal, country] }) => {
    const result = page([
      name,
      ...rows,
      '',
      'Bill to',
      'Talleres Aneto, S.A.',
      'Avda. Pirineos, 9',
      '22001 Huesca',
      'Spain',
      `VAT ES${firm}`,
      '',
      'Invoice number INV30458730    Date of issue January 8, 2026',
      '',
      'Subtotal       100.00',
      'VAT 0 %          0.00',
      'Total          100.00',
    ])
    expect(result).toMatchObject({
      vendor_name: name,
      vendor_vat: vat,
      vendor_address: street,
      vendor_city: city,
      vendor_postal_code: postal,
      vendor_province: null,
      vendor_country: country,
      buyer_name: 'Talleres Aneto, S.A.',
      buyer_vat: firm,
      buyer_city: 'Huesca',
    })
  })

  test('a reference that looks like a foreign number is none without a label', () => {
    const result = page([...issuer, '', 'Pedido DE136695976', 'Comercial Nogueira 2010 SL', ...amounts])
    expect(result).toMatchObject({ vendor_vat: firm, buyer_vat: null, vendor_country: 'ESP' })
  })
})

describe('addresses', () => {
  test('all in small letters', () => {
    const result = withVendor([`idaira santana cabrera · ${firm} · calle perojo 14, 35003 las palmas`])
    expect(result).toMatchObject({ vendor_address: 'calle perojo 14', vendor_city: 'las palmas' })
  })

  test.each([
    [
      'broken after an article',
      ['Avda. de los', 'Descubrimientos, 11', '24003 León'],
      'Avda. de los Descubrimientos, 11',
    ],
    ['behind a label in a sentence', ['Domicilio social: Plaza Mayor, 9, 24003 León.'], 'Plaza Mayor, 9'],
    ['of a Basque square', ['Zabal plaza, 4', '24003 León'], 'Zabal plaza, 4'],
    ['not a number of another kind', ['Kundennummer: 20881', 'Plaza Mayor, 9', '24003 León'], 'Plaza Mayor, 9'],
  ])('%s', (_, rows, street) => {
    const result = withVendor(['Rentas Bidasoa, S.L.', `NIF ${firm}`, ...rows])
    expect(result).toMatchObject({ vendor_address: street, vendor_city: 'León' })
  })
})
