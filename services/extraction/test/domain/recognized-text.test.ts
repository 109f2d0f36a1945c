import { describe, expect, it } from 'vitest'
import { placesToConfirm, withPlaceRead } from '../../src/domain/confirm-fields.ts'
import { findTaxIds } from '../../src/domain/find-tax-ids.ts'
import { arrange } from '../../src/domain/layout.ts'
import type { Document } from '../../src/domain/page.ts'
import { understand } from '../../src/domain/understand.ts'
import { documentOf, plainInvoice } from './document-of.ts'

function recognized(rows: string[], confidence = 0.95): Document {
  const document = documentOf(rows)
  const pages = document.pages.map((page) => ({
    ...page,
    source: 'ocr' as const,
    words: page.words.map((word) => ({ ...word, confidence })),
  }))
  return { ...document, engine: 'ocr', pages }
}

describe('tax ids whose letters recognition took for digits', () => {
  it.each([
    ["a person's last letter", 'NIF: 130044893', '13004489J'],
    ['a Q at the end', 'NIF: 498137840', '49813784Q'],
    ["an I at the end of a public body's", 'CIF/NIF: P44226001', 'P4422600I'],
    ["both letters of a foreigner's", 'N.I.F.: 739835536', 'Z3983553G'],
    ["a company's first letter", 'NIF: 634724468', 'G34724468'],
  ])('%s', (_name, printed, value) => {
    const [found] = findTaxIds(arrange(recognized([printed])))
    expect(found).toMatchObject({ value, valid: true, repaired: true })
  })

  it.each(['NIF: 130044813', 'Pedido 130044893 de marzo'])('are left alone where nothing fits: %s', (printed) => {
    expect(findTaxIds(arrange(recognized([printed]))).filter(({ valid }) => valid)).toEqual([])
  })
})

describe('headings of recognized pages', () => {
  it("does not take `Facturar` for a misread `Factura`, nor the customer's id below it for the number", () => {
    const found = understand(
      recognized([
        'Talleres Aneto, S.L.',
        'CIF B22334459',
        '',
        'Número        Fecha           NIF Facturar a',
        '1858/25       16/07/2025      A50112234',
      ]),
      { today: '2026-12-31' },
    )
    expect(found.invoice_number).toBe('1858/25')
  })

  it('reads a date by the label left of it, not by that of the row above', () => {
    const found = understand(
      recognized([
        'Talleres Aneto, S.L.',
        'CIF B22334459',
        'Factura nº:           F-2025/0107',
        'Fecha de emisión:     20-03-2026',
        'F. vencimiento:       19-04-2026',
      ]),
      { today: '2026-12-31' },
    )
    expect(found).toMatchObject({ invoice_date: '2026-03-20', due_date: '2026-04-19' })
  })
})

describe('values that may be spoiled', () => {
  const confidenceOf = (rows: string[], field: string, guessed = /^$/): number => {
    const document = recognized(rows)
    for (const word of document.pages.flatMap(({ words }) => words)) if (guessed.test(word.text)) word.confidence = 0.4
    return understand(document, { today: '2026-12-31' }).field_evidence[field]?.confidence ?? 0
  }

  it('are not sure where one of their words was guessed; check digits vouch for an account all the same', () => {
    expect(confidenceOf([...plainInvoice], 'vendor_name')).toBeGreaterThanOrEqual(0.9)
    expect(confidenceOf([...plainInvoice], 'vendor_name', /^Aneto/)).toBeLessThanOrEqual(0.85)
    expect(confidenceOf([...plainInvoice], 'iban', /^1332$/)).toBeGreaterThanOrEqual(0.9)
  })

  it.each([
    ['a street that ends with its comma', 'C/ Mayor, 12, 2º B', 'C/ Mayor,', 'vendor_address'],
    ['a town that ends with its article', '22001 Huesca', '08901 Hospitalet de', 'vendor_city'],
    ['a name that ends within its legal form', 'Talleres Aneto, S.L.', 'Talleres Aneto Sociedad', 'vendor_name'],
    ['a number of two signs', 'F-2025/0107', '57', 'invoice_number'],
  ])('are not sure: %s', (_name, printed, shown, field) => {
    const rows = plainInvoice.map((row) => row.replace(printed, shown))
    expect(confidenceOf([...plainInvoice], field)).toBeGreaterThan(0.85)
    expect(confidenceOf(rows, field)).toBeLessThanOrEqual(0.85)
  })
})

describe('number and dates read from a picture', () => {
  const read = understand(recognized([...plainInvoice]), { today: '2026-12-31' })

  it('are sure only where a second reading shows the same signs', () => {
    const [number, date] = placesToConfirm(read)
    expect(number).toMatchObject({ field: 'invoice_number', page: 0, box: { x0: expect.any(Number) } })
    expect(date).toMatchObject({ field: 'invoice_date' })
    expect(withPlaceRead(read, 'invoice_number', 'F - 2025/0107')).toBe(read)
    const doubted = withPlaceRead(read, 'invoice_number', 'F-2025/0197')
    expect(doubted.field_evidence.invoice_number?.confidence).toBe(0.85)
    expect(doubted.confidence_score).toBeLessThanOrEqual(0.85)
    expect(doubted.invoice_number).toBe('F-2025/0107')
  })

  it('of a date compare the digits alone', () => {
    const text = read.field_evidence.invoice_date?.text ?? ''
    expect(text).toMatch(/\d/)
    expect(withPlaceRead(read, 'invoice_date', `${text.replace(/[/-]/g, '.')} |`)).toBe(read)
    const doubted = withPlaceRead(read, 'invoice_date', text.replace(/\d$/, '0').replace(/^\d/, '9'))
    expect(doubted.field_evidence.invoice_date?.confidence).toBe(0.85)
  })

  it('are not sure of a one that may be an I, however often it is read', () => {
    const number = read.field_evidence.invoice_number
    if (number === undefined) throw new Error('no number')
    const field_evidence = { ...read.field_evidence, invoice_number: { ...number, text: 'P1251331583' } }
    const again = withPlaceRead({ ...read, field_evidence }, 'invoice_number', 'P1251331583')
    expect(again.confidence_score).toBeLessThanOrEqual(0.85)
  })

  it('need no second reading on a page of text', () => {
    expect(placesToConfirm(understand(documentOf([...plainInvoice]), { today: '2026-12-31' }))).toEqual([])
  })
})
