import { type Cents, euros, percentOf } from '@asiento/proto/money'
import type { FlowSums, TaxpayerKind } from './facts.ts'

/** The five figures of a period, in cents. */
export interface Flows {
  incomeCents: Cents
  expenseCents: Cents
  resultCents: Cents
  vatDueCents: Cents
  irpfDueCents: Cents
}

const instalmentPercent = 20

/**
 * - `vatDue`: VAT charged less VAT borne; below zero it is to be offset.
 * - `irpfDue`: what was withheld from others (111, 115), and for an autónomo also 20 % of a positive result less what
 *   clients withheld (130), each not below zero. An estimate of the period alone; the models are the exact figures.
 */
export function flowsOf(sums: FlowSums, kind: TaxpayerKind | null): Flows {
  const resultCents = sums.incomeCents - sums.expenseCents
  return {
    incomeCents: sums.incomeCents,
    expenseCents: sums.expenseCents,
    resultCents,
    vatDueCents: sums.outputTaxCents - sums.inputTaxCents,
    irpfDueCents: withheldFromOthers(sums) + (kind === 'sociedad' ? 0 : instalment(sums)),
  }
}

/** What 111 and 115 pay over. */
export const withheldFromOthers = (sums: FlowSums): Cents => Math.max(0, -sums.expenseIrpfCents)

/** What 130 pays on account for the sums alone, without earlier quarters. */
export const instalment = (sums: FlowSums): Cents =>
  Math.max(0, percentOf(Math.max(0, sums.incomeCents - sums.expenseCents), instalmentPercent) + sums.incomeIrpfCents)

/** As the interface shows them: euros, by their public names. */
export const flowsView = (flows: Flows) => ({
  income: euros(flows.incomeCents),
  expense: euros(flows.expenseCents),
  result: euros(flows.resultCents),
  vat_due: euros(flows.vatDueCents),
  irpf_due: euros(flows.irpfDueCents),
})

/** Percent with two decimals; null where there was nothing to compare with. A rise from a loss is positive. */
export const changePct = (current: Cents, previous: Cents): number | null =>
  previous === 0 ? null : Math.round(((current - previous) / Math.abs(previous)) * 10_000) / 100 || 0
