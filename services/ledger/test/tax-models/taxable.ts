import type { TaxableEntry, TaxModelDraft } from '../../src/domain/tax-models/model.ts'

/** Amounts in cents; `lines` are [rate, base, tax], of recargo with `RE` first. */
interface Given {
  type?: 'income' | 'expense'
  account?: string
  vat?: string | null
  name?: string | null
  concept?: string
  irpf?: number
  base: number
  lines?: readonly (readonly [number, number, number] | readonly ['RE', number, number, number])[]
}

/** An entry from what matters of it: base, tax lines, withholding. */
export function taxable(id: number, date: string, given: Given): TaxableEntry {
  const taxLines = (given.lines ?? []).map((line) =>
    line[0] === 'RE'
      ? { taxType: 'RE' as const, rate: line[1], baseCents: line[2], amountCents: line[3] }
      : { taxType: 'IVA' as const, rate: line[0], baseCents: line[1], amountCents: line[2] },
  )
  const taxCents = taxLines.reduce((sum, line) => sum + line.amountCents, 0)
  const irpfCents = given.irpf ?? 0
  const type = given.type ?? 'income'
  return {
    id,
    type,
    date,
    concept: given.concept ?? 'Servicio',
    notes: null,
    counterpartyName: given.name === undefined ? 'Talleres Norte SL' : given.name,
    counterpartyVat: given.vat === undefined ? 'B58818501' : given.vat,
    invoiceNumber: `F-${id}`,
    accountCode: given.account ?? (type === 'income' ? '705' : '629'),
    baseCents: given.base,
    taxRate: taxLines.length === 1 ? (taxLines[0]?.rate ?? null) : null,
    taxCents,
    irpfCents,
    totalCents: given.base + taxCents + irpfCents,
    taxLines,
  }
}

/** The boxes that are not 0, as printed on the form. */
export const filled = (draft: TaxModelDraft): Record<string, number> =>
  Object.fromEntries(draft.boxes.filter((box) => box.valueCents !== 0).map((box) => [box.box, box.valueCents / 100]))
