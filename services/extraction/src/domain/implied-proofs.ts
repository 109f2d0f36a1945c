import { type Cents, percentOf } from '@asiento/proto/money'
import { role, type Value } from './amount-values.ts'
import { totalScore } from './judge-proof.ts'
import type { Pair, Proof, ProofInput } from './proof.ts'
import { withholdingRates } from './tax-rates.ts'

/** `Base 160,00`, `IVA 21 % 21,00`, `IVA 10 % 6,00`: only the sum of the bases is printed; the quotas tell its parts. */
export function partedBase(values: readonly Value[], byCents: ReadonlyMap<Cents, Value>, found: Proof[]): void {
  const quotas = values.filter((value) => role(value, 'tax') >= 2 && value.rates.size === 1 && value.cents !== 0)
  const rates = quotas.map((value) => [...value.rates][0] ?? '0')
  if (quotas.length < 2 || quotas.length > 4 || new Set(rates).size < quotas.length) return
  const tax = quotas.reduce((all, value) => all + value.cents, 0)
  const parts = quotas.map((value, index) => Math.round((value.cents * 100) / Number(rates[index])))
  const slack = rates.reduce((all, rate) => all + 100 / Number(rate), 0)
  for (const base of values) {
    if (role(base, 'base', 'gross') < 1.4 || parts.some((part) => !Number.isFinite(part))) continue
    const off = base.cents - parts.reduce((all, part) => all + part, 0)
    const total = byCents.get(base.cents + tax)
    if (Math.abs(off) > slack || total === undefined) continue
    // what rounding hides belongs to the smallest rate, whose quota tells least of its base
    const least = rates.indexOf([...rates].sort((a, b) => Number(a) - Number(b))[0] ?? '')
    found.push({
      pairs: quotas.map((taxValue, index) => ({
        rate: rates[index] ?? '0',
        base: (parts[index] ?? 0) + (index === least ? off : 0),
        tax: taxValue.cents,
        surcharge: null,
        baseValue: null,
        taxValue,
        surchargeValue: null,
        score: 0,
      })),
      extra: null,
      withholding: null,
      base: base.cents,
      tax,
      total: total.cents,
      totalValue: total,
      score: role(base, 'base', 'gross') + 2 * role(quotas[0] ?? null, 'tax') + totalScore(total),
      ambiguous: false,
    })
  }
}

/** Simplified invoices print the total and the quota only, or the total alone; exempt ones no quota. */
export function implied(
  values: readonly Value[],
  byCents: ReadonlyMap<Cents, Value>,
  input: ProofInput,
  found: Proof[],
): void {
  for (const total of values) {
    if (role(total, 'total') < 1.4 || total.cents === 0) continue
    for (const tax of values) {
      if (role(tax, 'tax') < 1.4 || tax === total || Math.abs(tax.cents) >= Math.abs(total.cents)) continue
      for (const rate of input.rates) {
        if (rate === '0') continue
        const base = total.cents - tax.cents
        if (Math.abs(percentOf(base, rate) - tax.cents) > 1) continue
        const named = tax.rates.has(rate)
        const baseValue = byCents.get(base) ?? null
        if (baseValue !== null) continue
        const pair: Pair = {
          rate,
          base,
          tax: tax.cents,
          surcharge: null,
          baseValue,
          taxValue: tax,
          surchargeValue: null,
          score: 0,
        }
        found.push({
          pairs: [pair],
          extra: null,
          withholding: null,
          base,
          tax: tax.cents,
          total: total.cents,
          totalValue: total,
          score: role(tax, 'tax') + totalScore(total) + (named ? 1 : -2) - 2,
          ambiguous: false,
        })
      }
    }
    // nothing but a total that is the base as well: exempt, reverse charge or not subject
    const noTax = !values.some((value) => role(value, 'tax') > 1.4 && value.cents !== 0)
    if (!noTax) continue
    const asBase = role(total, 'base', 'gross')
    const exemptPair = (score: number, withholding: Proof['withholding'], base: Value, sumTotal: Value) =>
      found.push({
        pairs: [
          {
            rate: '0',
            base: base.cents,
            tax: 0,
            surcharge: null,
            baseValue: base,
            taxValue: null,
            surchargeValue: null,
            score: 0,
          },
        ],
        extra: null,
        withholding,
        base: base.cents,
        tax: 0,
        total: sumTotal.cents,
        totalValue: sumTotal,
        score,
        ambiguous: false,
      })
    if (asBase === 0 && input.exempt && (input.linesSums.length === 0 || input.linesSums.includes(total.cents)))
      exemptPair(totalScore(total) + 1, null, total, total)
    if (asBase > 0) exemptPair(totalScore(total) + asBase, null, total, total)
    for (const base of values) {
      if (base === total || role(base, 'base', 'gross') < 1.4 || !input.withholding) continue
      const amount = base.cents - total.cents
      const printed = byCents.get(amount) ?? byCents.get(-amount)
      if (printed === undefined || role(printed, 'irpf') < 1) continue
      const rate = [...input.withholdingRates, ...withholdingRates].find(
        (candidate) => Math.abs(percentOf(base.cents, candidate) - amount) <= 1,
      )
      if (rate !== undefined)
        exemptPair(
          totalScore(total) + role(base, 'base', 'gross') + role(printed, 'irpf'),
          { rate, amount, value: printed },
          base,
          total,
        )
    }
  }
}
