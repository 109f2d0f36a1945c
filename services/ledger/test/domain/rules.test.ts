import { AppError } from '@asiento/proto/errors'
import { describe, expect, it } from 'vitest'
import { accessOf, recommendPlan } from '../../src/domain/access.ts'
import { attachmentType } from '../../src/domain/attachment.ts'
import { budgetActuals } from '../../src/domain/budget.ts'
import { entryOfLog } from '../../src/domain/importable.ts'
import { normalizeSeries, seriesNumber } from '../../src/domain/invoice-series.ts'
import { sumLines } from '../../src/domain/line-items.ts'
import {
  checkConvertible,
  checkProposalEdit,
  effectiveStatus,
  moveProposal,
  type ProposalStatus,
  proposalStatuses,
} from '../../src/domain/proposal-state.ts'

const code = (work: () => unknown): string | null => {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof AppError ? error.code : 'other'
  }
}

describe('proposals', () => {
  const allowed = ['draft>sent', 'sent>accepted', 'sent>rejected', 'sent>expired']
  const steps = proposalStatuses.flatMap((from) =>
    proposalStatuses.filter((to) => to !== from).map((to) => [from, to] as const),
  )
  it.each(steps)('%s → %s only where the table has it', (from, to) => {
    expect(code(() => moveProposal(from, to))).toBe(allowed.includes(`${from}>${to}`) ? null : 'INVALID_STATE')
  })

  it.each(proposalStatuses)('%s converts only when accepted', (status: ProposalStatus) => {
    expect(code(() => checkConvertible(status))).toBe(status === 'accepted' ? null : 'INVALID_STATE')
  })

  it('keeps what was sent', () => {
    expect(code(() => checkProposalEdit('sent', ['line_items']))).toBe('INVALID_STATE')
    expect(code(() => checkProposalEdit('sent', ['notes', 'valid_until']))).toBeNull()
    expect(code(() => checkProposalEdit('accepted', ['valid_until']))).toBe('INVALID_STATE')
    expect(code(() => checkProposalEdit('draft', ['line_items', 'client']))).toBeNull()
  })

  it('expires the day after its last day', () => {
    expect(effectiveStatus('sent', '2026-03-31', '2026-03-31')).toBe('sent')
    expect(effectiveStatus('sent', '2026-03-31', '2026-04-01')).toBe('expired')
    expect(effectiveStatus('accepted', '2026-03-31', '2026-04-01')).toBe('accepted')
  })
})

describe('access', () => {
  const trialEndsAt = '2026-03-15 10:00:00'
  it.each([
    ['during the trial', null, '2026-03-14 09:00:00', { access: true, reason: 'trial', daysLeft: 2 }],
    ['in its last second', null, '2026-03-15 09:59:59', { access: true, reason: 'trial', daysLeft: 1 }],
    ['after it', null, '2026-03-15 10:00:00', { access: false, reason: 'trial_expired', daysLeft: 0 }],
    ['with a plan', 'contab_basic', '2026-03-14 09:00:00', { access: true, reason: 'subscription', daysLeft: 2 }],
    [
      'with a plan after the trial',
      'contab_basic',
      '2027-01-01 00:00:00',
      { access: true, reason: 'subscription', daysLeft: 0 },
    ],
  ] as const)('%s', (_, plan, now, expected) => {
    expect(accessOf({ plan, trialEndsAt }, now)).toMatchObject(expected)
  })

  it('recommends by use, with a reason', () => {
    const none = { entries: 3, attachments: 0, recurring: 0, proposals: 0, years: 1 }
    expect(recommendPlan(none).plan).toBe('contab_basic')
    expect(recommendPlan({ ...none, recurring: 1 }).plan).toBe('contab_pro')
    expect(recommendPlan({ ...none, recurring: 1, years: 2 })).toMatchObject({ plan: 'contab_business' })
    expect(recommendPlan(none).reasons).toHaveLength(1)
  })
})

describe('attachments', () => {
  it.each([
    ['%PDF-1.7\n', 'application/pdf'],
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['RIFF0000WEBPVP8 ', 'image/webp'],
    ['GIF89a', 'image/gif'],
    ['II*\0', 'image/tiff'],
  ])('knows %j by its bytes', (text, type) => {
    expect(attachmentType(Buffer.from(text, 'latin1')).contentType).toBe(type)
  })

  it.each(['', 'MZ\x90', '<svg xmlns="x">', 'PK\x03\x04', '<html>', 'plain text'])('refuses %j', (text) => {
    expect(code(() => attachmentType(Buffer.from(text, 'latin1')))).toBe('ATTACHMENT_INVALID')
  })
})

describe('the budget', () => {
  const moved = [
    { accountCode: '628', month: 1, debitCents: 10_000, creditCents: 0 },
    { accountCode: '629', month: 2, debitCents: 5000, creditCents: 1000 },
    { accountCode: '705', month: 1, debitCents: 0, creditCents: 50_000 },
  ]
  it.each([
    ['a month', { accountCode: '628', month: 1, amountCents: 8000 }, 10_000, 2000, 25],
    ['the year of a subgroup', { accountCode: '62', month: null, amountCents: 14_000 }, 14_000, 0, 0],
    ['income', { accountCode: '705', month: null, amountCents: 100_000 }, 50_000, -50_000, -50],
    ['nothing moved', { accountCode: '640', month: 3, amountCents: 100 }, 0, -100, -100],
    ['a budget of 0', { accountCode: '628', month: 1, amountCents: 0 }, 10_000, 10_000, null],
  ] as const)('%s', (_, item, actualCents, deviationCents, deviationPct) => {
    expect(budgetActuals([item], moved)).toEqual([{ ...item, actualCents, deviationCents, deviationPct }])
  })
})

describe('what can be imported', () => {
  const invoice = {
    vendor_name: 'Proveedor SA',
    vendor_vat: 'A58818501',
    buyer_name: 'Yo',
    buyer_vat: '12345678Z',
    invoice_number: 'F-9',
    invoice_date: '2026-02-03',
    due_date: '2026-03-05',
    subtotal: 100,
    tax: 21,
    total: 121,
    document_type: 'invoice',
    declared_tax_rate: 21,
    tax_breakdown: [{ tax_type: 'IVA', rate: 21, base: 100, amount: 21 }],
    accounting: null,
  }
  const log = (result: unknown) => ({ logId: 5, createdAt: '2026-02-10 10:00:00', result })

  it('makes an expense of a received invoice and an income of an own one', () => {
    expect(entryOfLog(log(invoice), '12345678Z')).toMatchObject({
      type: 'expense',
      counterpartyName: 'Proveedor SA',
      totalCents: 12_100,
      dueDate: '2026-03-05',
    })
    expect(entryOfLog(log(invoice), 'ES-A58818501')).toMatchObject({
      type: 'income',
      counterpartyName: 'Yo',
      counterpartyVat: '12345678Z',
    })
    expect(entryOfLog(log(JSON.stringify(invoice)), null)).toMatchObject({ type: 'expense', taxRate: 21 })
  })

  it.each([
    ['invalid JSON', '{"total": 12'],
    ['no object', '[1]'],
    ['nothing', null],
    ['an amount of 0', { ...invoice, subtotal: 0, tax: 0, total: 0 }],
    ['no amount', { invoice_number: 'F-9' }],
    ['an amount that is no number', { ...invoice, total: 'ciento' }],
    ['a delivery note', { ...invoice, document_type: 'delivery_note' }],
  ])('leaves out %s', (_, result) => {
    expect(entryOfLog(log(result), null)).toBeNull()
  })

  it('takes no misread rate, year or amount into the books', () => {
    expect(entryOfLog(log({ ...invoice, invoice_date: '0000-01-01', due_date: '9999-12-31' }), null)).toMatchObject({
      date: '2026-02-10',
      dueDate: null,
    })
    expect(
      entryOfLog(log({ ...invoice, tax_breakdown: [{ tax_type: 'IVA', rate: 2100, base: 100, amount: 21 }] }), null),
    ).toMatchObject({ taxRate: 21, totalCents: 12_100 })
    expect(entryOfLog(log({ ...invoice, subtotal: 90, declared_tax_rate: 2100 }), null)).toMatchObject({
      taxRate: null,
      totalCents: 12_100,
    })
    expect(
      entryOfLog(log({ ...invoice, tax_breakdown: [], irpf_rate: 1500, irpf_amount: -15, total: 106 }), null),
    ).toMatchObject({ irpfRate: 15 })
    expect(entryOfLog(log({ ...invoice, subtotal: null, tax: null, total: 1e13 }), null)).toBeNull()
    expect(entryOfLog(log({ ...invoice, currency: 'USD' }), null)?.notes).toContain('USD')
  })

  it('keeps several rates and the sign of a corrective invoice', () => {
    const several = entryOfLog(
      log({
        ...invoice,
        subtotal: -200,
        tax: -31,
        total: -231,
        document_type: 'corrective',
        tax_breakdown: [
          { tax_type: 'IVA', rate: 21, base: -100, amount: -21 },
          { tax_type: 'IVA', rate: 10, base: -100, amount: -10 },
        ],
      }),
      null,
    )
    expect(several).toMatchObject({ taxRate: null, totalCents: -23_100, baseCents: -20_000 })
    expect(several?.taxLines).toHaveLength(2)
  })

  it('takes the total where the sums do not hold', () => {
    expect(entryOfLog(log({ ...invoice, subtotal: 90 }), null)).toMatchObject({ totalCents: 12_100, baseCents: 10_000 })
  })
})

describe('series and lines', () => {
  it('numbers print with their series', () => {
    expect(seriesNumber(normalizeSeries(' a 26 '), 12)).toBe('A26-000012')
  })

  it('sums lines by rate and withholds on the base', () => {
    const lines = [
      { description: 'a', quantity: 3, unit_price: 33.335, tax_rate: 21 },
      { description: 'b', quantity: 1, unit_price: 50, tax_rate: 10 },
      { description: 'c', quantity: 2, unit_price: 10 },
    ]
    expect(sumLines(lines, 15)).toMatchObject({
      baseCents: 17_001,
      taxCents: 2520 + 500 + 0,
      taxRate: null,
      irpfCents: -2550,
      totalCents: 17_001 + 3020 - 2550,
    })
  })
})
