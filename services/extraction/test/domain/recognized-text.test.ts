import { describe, expect, it } from 'vitest'
import { numberToConfirm, withNumberRead } from '../../src/domain/confirm-number.ts'
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

describe('the number of an invoice read from a picture', () => {
  const read = understand(recognized([...plainInvoice]), { today: '2026-12-31' })

  it('is sure only where a second reading shows the same signs', () => {
    expect(numberToConfirm(read)).toMatchObject({ page: 0, box: { x0: expect.any(Number) } })
    expect(withNumberRead(read, 'F - 2025/0107')).toBe(read)
    const doubted = withNumberRead(read, 'F-2025/0197')
    expect(doubted.field_evidence.invoice_number?.confidence).toBe(0.85)
    expect(doubted.confidence_score).toBeLessThanOrEqual(0.85)
    expect(doubted.invoice_number).toBe('F-2025/0107')
  })

  it('is not sure of a one that may be an I, however often it is read', () => {
    const number = read.field_evidence.invoice_number
    if (number === undefined) throw new Error('no number')
    const field_evidence = { ...read.field_evidence, invoice_number: { ...number, text: 'P1251331583' } }
    expect(withNumberRead({ ...read, field_evidence }, 'P1251331583').confidence_score).toBeLessThanOrEqual(0.85)
  })

  it('needs no second reading on a page of text', () => {
    expect(numberToConfirm(understand(documentOf([...plainInvoice]), { today: '2026-12-31' }))).toBeNull()
  })
})
