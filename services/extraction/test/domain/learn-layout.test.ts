import { describe, expect, test } from 'vitest'
import { learnLayout } from '../../src/domain/learn-layout.ts'
import { understand } from '../../src/domain/understand.ts'
import { documentOf } from './document-of.ts'

const today = '2025-06-01'
/** A vendor with words of its own for number and due date, and its trading name only. */
const invoice = (month: number) =>
  documentOf([
    'PANADERÍA DEL COSO',
    'CIF B12940995',
    '',
    `Registro: ZX ${month}/77            Abónese el: 2${month}/0${month}/2025          Confeccionada: 0${month}/0${month}/2025`,
    '',
    'Base imponible      100,00 €',
    'IVA 10 %             10,00 €',
    'Total               110,00 €',
  ])

describe('learning a vendor from one correction', () => {
  const first = invoice(1)
  const corrections = {
    vendor_vat: 'B12940995',
    vendor_name: 'Hornos Coso, S.L.',
    invoice_number: 'ZX 1/77',
    due_date: '2025-01-21',
    invoice_date: '2025-01-01',
  }
  const layout = learnLayout(corrections, first)

  test.each([2, 3, 4, 5, 6])('makes document %i of the same vendor right', (month) => {
    const context = { today, vendorLayouts: layout === null ? [] : [layout] }
    expect(understand(invoice(month), context)).toMatchObject({
      vendor_name: 'Hornos Coso, S.L.',
      invoice_number: `ZX ${month}/77`,
      due_date: `2025-0${month}-2${month}`,
      invoice_date: `2025-0${month}-0${month}`,
    })
  })

  test('changes nothing for another vendor', () => {
    const other = documentOf(['Otra Casa, S.A.', 'CIF A20151254', 'Factura nº 9', 'Total 110,00 €'])
    const context = { today, vendorLayouts: layout === null ? [] : [layout] }
    expect(understand(other, context)).toEqual(understand(other, { today }))
  })

  test('teaches nothing when the correction is what was read anyway', () => {
    const read = understand(first, { today })
    expect(learnLayout({ vendor_vat: 'B12940995', total: read.total }, first)).toBeNull()
  })

  test('learns that a field is never shown', () => {
    const taught = learnLayout({ vendor_vat: 'B12940995', vendor_name: null }, first)
    expect(taught?.anchors).toEqual([{ field: 'vendor_name', kind: 'never' }])
  })
})
