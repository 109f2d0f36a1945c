import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveAmounts } from '../../src/domain/amounts.ts'
import { chainRows, emptyChain, isBalanced, type JournalRow, verifyRows } from '../../src/domain/hash-chain.ts'
import { correction, type PostableEntry, type Posting, postingsOf, reverse } from '../../src/domain/posting.ts'

const invoice = (change: Partial<PostableEntry> = {}): PostableEntry => ({
  ...deriveAmounts({ baseCents: 100_000, taxRate: 21, irpfRate: 15 }),
  id: 1,
  type: 'income',
  status: 'pending',
  date: '2026-03-01',
  paidAt: null,
  concept: 'Consultoría',
  counterpartyName: 'Cliente SL',
  invoiceNumber: 'A-1',
  accountCode: '705',
  paymentMethod: null,
  ...change,
})

const sums = (postings: readonly Posting[]) => {
  const balances = new Map<string, number>()
  for (const line of postings.flatMap((posting) => posting.lines)) {
    balances.set(line.accountCode, (balances.get(line.accountCode) ?? 0) + line.debitCents - line.creditCents)
  }
  return Object.fromEntries([...balances].filter(([, cents]) => cents !== 0))
}

describe('what an entry posts', () => {
  const cases: [string, PostableEntry, Record<string, number>][] = [
    ['an issued invoice with withholding', invoice(), { 430: 106_000, 473: 15_000, 705: -100_000, 477: -21_000 }],
    [
      'the same once collected',
      invoice({ status: 'collected', paidAt: '2026-03-20' }),
      { 572: 106_000, 473: 15_000, 705: -100_000, 477: -21_000 },
    ],
    [
      'a professional’s invoice received',
      invoice({ type: 'expense', accountCode: '623' }),
      { 623: 100_000, 472: 21_000, 410: -106_000, 4751: -15_000 },
    ],
    [
      'goods bought',
      invoice({ type: 'expense', accountCode: '600' }),
      { 600: 100_000, 472: 21_000, 400: -106_000, 4751: -15_000 },
    ],
    [
      'an investment',
      invoice({ type: 'expense', accountCode: '217' }),
      { 217: 100_000, 472: 21_000, 523: -106_000, 4751: -15_000 },
    ],
    [
      'an expense paid in cash',
      invoice({ type: 'expense', accountCode: '629', status: 'paid', paidAt: '2026-03-02', paymentMethod: 'efectivo' }),
      { 629: 100_000, 472: 21_000, 570: -106_000, 4751: -15_000 },
    ],
    [
      'a corrective invoice',
      invoice(deriveAmounts({ baseCents: -100_000, taxRate: 21 })),
      { 430: -121_000, 705: 100_000, 477: 21_000 },
    ],
  ]
  it.each(cases)('%s', (_, entry, expected) => {
    const postings = postingsOf(entry)
    expect(sums(postings)).toEqual(expected)
    for (const posting of postings) expect(isBalanced(posting.lines)).toBe(true)
  })

  it('settles on the day of payment', () => {
    const [accrual, settlement] = postingsOf(invoice({ status: 'collected', paidAt: '2026-03-20' }))
    expect([accrual?.date, settlement?.date]).toEqual(['2026-03-01', '2026-03-20'])
  })
})

const entries = fc
  .record({
    baseCents: fc.integer({ min: 1000, max: 100_000_000 }),
    negative: fc.boolean(),
    taxRate: fc.constantFrom(0, 4, 10, 21),
    irpfRate: fc.constantFrom(undefined, 7, 15),
    type: fc.constantFrom('income' as const, 'expense' as const),
    settled: fc.boolean(),
    accountCode: fc.constantFrom('600', '621', '629', '642', '217', '705'),
    day: fc.integer({ min: 10, max: 28 }),
    paymentMethod: fc.constantFrom(null, 'efectivo', 'transferencia'),
  })
  .map(({ baseCents, negative, taxRate, irpfRate, type, settled, day, ...rest }) =>
    invoice({
      ...deriveAmounts({ baseCents: negative ? -baseCents : baseCents, taxRate, irpfRate }),
      ...rest,
      type,
      status: settled ? (type === 'income' ? 'collected' : 'paid') : 'pending',
      date: `2026-05-${day}`,
      paidAt: settled ? `2026-06-${day}` : null,
    }),
  )

describe('postings of any entry', () => {
  it('balance', () => {
    fc.assert(fc.property(entries, (entry) => postingsOf(entry).every((posting) => isBalanced(posting.lines))))
  })

  it('come to nothing on every day together with their reversal, and reversing twice changes nothing', () => {
    fc.assert(
      fc.property(entries, (entry) => {
        for (const posting of postingsOf(entry)) {
          const undone = reverse(posting)
          expect(undone.date).toBe(posting.date)
          expect(sums([posting, undone])).toEqual({})
          expect(reverse(undone).lines).toEqual(posting.lines)
        }
      }),
    )
  })

  it('after a correction the books say what the new entry says', () => {
    fc.assert(
      fc.property(entries, entries, (before, after) => {
        const corrected = [...postingsOf(before), ...correction(postingsOf(before), postingsOf(after))]
        expect(sums(corrected)).toEqual(sums(postingsOf(after)))
      }),
    )
  })

  it('an edit that changes nothing posts nothing', () => {
    fc.assert(fc.property(entries, (entry) => correction(postingsOf(entry), postingsOf(entry)).length === 0))
  })
})

describe('the hash chain', () => {
  const rowsOf = (count: number): Omit<JournalRow, 'id'>[] =>
    Array.from({ length: count }, (_, index) => ({
      userId: 7,
      kind: 'accrual',
      date: '2026-01-02',
      entryId: index,
      concept: `Apunte ${index}`,
      createdAt: '2026-01-02 10:00:00',
      lines: [
        { accountCode: '430', debitCents: 100 + index, creditCents: 0 },
        { accountCode: '705', debitCents: 0, creditCents: 100 + index },
      ],
    }))

  it('is whole in one piece or in several', () => {
    const whole = chainRows(emptyChain, rowsOf(9))
    const first = chainRows(emptyChain, rowsOf(9).slice(0, 4))
    const second = chainRows(first.head, rowsOf(9).slice(4))
    expect([...first.rows, ...second.rows]).toEqual(whole.rows)
    expect(verifyRows(emptyChain, whole.rows)).toEqual({ head: whole.head, brokenId: null })
  })

  it('names the first row that was changed, removed, inserted or moved', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 8 }),
        fc.constantFrom('concept', 'amount', 'date', 'removed', 'rehashed'),
        (at, how) => {
          const rows = chainRows(emptyChain, rowsOf(9)).rows.map((row) => ({
            ...row,
            lines: row.lines.map((line) => ({ ...line })),
          }))
          const row = rows[at]
          if (row === undefined) throw new Error('no such row')
          if (how === 'concept') row.concept += '.'
          if (how === 'date') row.date = '2026-01-03'
          if (how === 'amount') for (const line of row.lines) line.debitCents += line.debitCents > 0 ? 1 : 0
          if (how === 'rehashed') row.hash = 'f'.repeat(64)
          if (how === 'removed') rows.splice(at, 1)
          const { brokenId } = verifyRows(emptyChain, rows)
          if (how === 'removed' && at === 8) expect(brokenId).toBeNull()
          else expect(brokenId).toBe(at + 1)
        },
      ),
    )
  })
})
