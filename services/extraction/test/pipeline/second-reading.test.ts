import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Document } from '../../src/domain/page.ts'
import { understand } from '../../src/domain/understand.ts'
import { openDocument, type Reader } from '../../src/pages/open-document.ts'
import { readAgain } from '../../src/pipeline/extract-invoice.ts'

const context = { today: '2026-12-31' }
const filename = 'foto-movil.jpg'
const sample = (name: string) => readFile(new URL(`../../../../samples/${name}`, import.meta.url))

/** The page as it would have come from the engine, had it misread the last euro digit wherever the amount is printed. */
const misread = (document: Document, amount: number): Document => ({
  ...document,
  pages: document.pages.map((page) => ({
    ...page,
    words: page.words.map((word) =>
      word.text.replace(/\D/g, '') === String(Math.round(amount * 100))
        ? { ...word, text: word.text.replace(/\d(?=\D\d\d\D*$)/, (digit) => String((Number(digit) + 5) % 10)) }
        : word,
    ),
  })),
})

describe('a photo whose amounts do not prove as they were read at first', () => {
  let reader: Reader
  let truth: Record<'subtotal' | 'tax' | 'total', number>
  beforeAll(async () => {
    reader = await openDocument(await sample(filename), { filename })
    truth = JSON.parse((await sample('foto-movil.json')).toString('utf8'))
  })

  test.each(['subtotal', 'tax', 'total'] as const)(
    'is read a second time: a misread %s is made good',
    async (field) => {
      const document = misread(reader.document, truth[field])
      expect(document).not.toEqual(reader.document)
      const first = understand(document, context)
      expect(first).not.toMatchObject({ subtotal: truth.subtotal, tax: truth.tax, total: truth.total })
      const second = await readAgain({ ...reader, document }, first, context)
      expect(second).toMatchObject({ subtotal: truth.subtotal, tax: truth.tax, total: truth.total })
      expect(second.warnings.filter(({ code }) => code === 'amounts_mismatch')).toEqual([])
    },
  )

  test('is left as it was read where the amounts prove', async () => {
    const first = understand(reader.document, context)
    expect(first).toMatchObject({ subtotal: truth.subtotal, tax: truth.tax, total: truth.total })
    expect(await readAgain(reader, first, context)).toBe(first)
  })
})
