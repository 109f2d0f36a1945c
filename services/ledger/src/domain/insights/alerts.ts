/** What a person should look at, as rows: each says when it applies, how severe it is and what it tells, in Spanish. */
import { dayNumber } from '../bank/day-number.ts'
import type { ForecastMonth } from './cash-forecast.ts'
import type { ClientView } from './clients.ts'
import type { InsightsFacts } from './facts.ts'
import { changePct, type Flows } from './flows.ts'
import type { TaxObligation } from './tax-outlook.ts'

export type Severity = 'info' | 'warning' | 'critical'

export interface Alert {
  code: AlertCode
  severity: Severity
  message: string
  data: Record<string, unknown>
}

export const alertCodes = [
  'overdue_income',
  'overdue_expense',
  'payments_due_soon',
  'tax_overdue',
  'tax_due_soon',
  'negative_cash',
  'negative_result',
  'income_drop',
  'expense_growth',
  'client_concentration',
  'slow_payer',
  'missing_tax_id',
] as const
export type AlertCode = (typeof alertCodes)[number]

export interface AlertFacts {
  facts: InsightsFacts
  flows: Flows
  flowsBefore: Flows | null
  clients: readonly ClientView[]
  forecast: readonly ForecastMonth[]
  taxes: readonly TaxObligation[]
}

const severities: Record<Severity, number> = { critical: 0, warning: 1, info: 2 }

const overdueDaysCritical = 60
const taxDaysWarning = 15
const taxDaysCritical = 5
const changePctWarning = 30
const sharePctWarning = 50
/** Ley 3/2004 art. 4: 60 days at most between companies. */
const payDaysMax = 60

/** The alerts that apply, the most severe first, otherwise in the order of {@link alertCodes}. */
export function alertsOf(given: AlertFacts): Alert[] {
  return [
    ...overdue(given.facts),
    ...taxes(given),
    ...cash(given),
    ...results(given),
    ...clientRisks(given.clients),
    ...missingData(given.facts),
  ].sort(
    (a, b) =>
      severities[a.severity] - severities[b.severity] || alertCodes.indexOf(a.code) - alertCodes.indexOf(b.code),
  )
}

function overdue({ overdueIn, overdueOut, dueSoonOut }: InsightsFacts): Alert[] {
  const alerts: Alert[] = []
  if (overdueIn.count > 0) {
    alerts.push({
      code: 'overdue_income',
      severity: overdueIn.oldestDays > overdueDaysCritical ? 'critical' : 'warning',
      message: `${quantity(overdueIn.count, 'cobro vencido', 'cobros vencidos')} por ${money(overdueIn.cents)}; el más antiguo, de hace ${days(overdueIn.oldestDays)}.`,
      data: { count: overdueIn.count, amount: overdueIn.cents / 100, oldest_days: overdueIn.oldestDays },
    })
  }
  if (overdueOut.count > 0) {
    alerts.push({
      code: 'overdue_expense',
      severity: overdueOut.oldestDays > overdueDaysCritical ? 'critical' : 'warning',
      message: `${quantity(overdueOut.count, 'pago vencido', 'pagos vencidos')} por ${money(overdueOut.cents)}; el más antiguo, de hace ${days(overdueOut.oldestDays)}.`,
      data: { count: overdueOut.count, amount: overdueOut.cents / 100, oldest_days: overdueOut.oldestDays },
    })
  }
  if (dueSoonOut.count > 0) {
    alerts.push({
      code: 'payments_due_soon',
      severity: 'info',
      message: `${quantity(dueSoonOut.count, 'pago vence', 'pagos vencen')} en los próximos 7 días por ${money(dueSoonOut.cents)}.`,
      data: { count: dueSoonOut.count, amount: dueSoonOut.cents / 100 },
    })
  }
  return alerts
}

/** Only what was recorded can be overdue: an open estimate may have been filed elsewhere. */
function taxes({ facts, taxes: obligations }: AlertFacts): Alert[] {
  return obligations.flatMap((tax): Alert[] => {
    const left = dayNumber(tax.dueDate) - dayNumber(facts.today)
    const data = {
      model: tax.model,
      year: tax.year,
      period: tax.period,
      due_date: tax.dueDate,
      amount: tax.amountCents / 100,
      days_left: left,
    }
    const name = `El modelo ${tax.model} de ${tax.period === 'Y' ? tax.year : `${tax.period} de ${tax.year}`}`
    if (tax.status === 'filed' || tax.status === 'paid') return []
    if (left < 0) {
      if (tax.status !== 'pending') return []
      return [
        {
          code: 'tax_overdue',
          severity: 'critical',
          message: `${name} venció el ${spanishDate(tax.dueDate)} y no consta como presentado.`,
          data,
        },
      ]
    }
    if (left > taxDaysWarning) return []
    const amount = tax.amountCents > 0 ? ` (unos ${money(tax.amountCents)})` : ''
    return [
      {
        code: 'tax_due_soon',
        severity: left <= taxDaysCritical ? 'critical' : 'warning',
        message: `${name} se presenta hasta el ${spanishDate(tax.dueDate)}${amount}.`,
        data,
      },
    ]
  })
}

function cash({ forecast }: AlertFacts): Alert[] {
  const short = forecast.find((month) => month.closing < 0)
  if (short === undefined) return []
  const message = `La previsión de tesorería queda en ${money(Math.round(short.closing * 100))} a final de ${spanishMonth(short.month)}.`
  return [
    { code: 'negative_cash', severity: 'critical', message, data: { month: short.month, closing: short.closing } },
  ]
}

function results({ flows, flowsBefore }: AlertFacts): Alert[] {
  const alerts: Alert[] = []
  if (flows.resultCents < 0) {
    const message = `Los gastos superan a los ingresos en ${money(-flows.resultCents)} en el periodo.`
    alerts.push({ code: 'negative_result', severity: 'warning', message, data: { result: flows.resultCents / 100 } })
  }
  if (flowsBefore === null) return alerts
  const income = changePct(flows.incomeCents, flowsBefore.incomeCents)
  if (income !== null && income <= -changePctWarning) {
    const message = `Los ingresos bajan un ${percent(-income)} respecto al mismo periodo del año anterior.`
    alerts.push({ code: 'income_drop', severity: 'warning', message, data: { change_pct: income } })
  }
  const expense = changePct(flows.expenseCents, flowsBefore.expenseCents)
  if (expense !== null && expense >= changePctWarning) {
    const message = `Los gastos suben un ${percent(expense)} respecto al mismo periodo del año anterior.`
    alerts.push({ code: 'expense_growth', severity: 'warning', message, data: { change_pct: expense } })
  }
  return alerts
}

function clientRisks(clients: readonly ClientView[]): Alert[] {
  const [first] = clients
  const alerts: Alert[] = []
  if (first !== undefined && clients.length > 1 && first.share >= sharePctWarning) {
    const message = `${first.name} supone el ${percent(first.share)} de los ingresos del periodo.`
    alerts.push({
      code: 'client_concentration',
      severity: 'warning',
      message,
      data: { name: first.name, vat: first.vat, share: first.share },
    })
  }
  for (const client of clients) {
    if (client.avg_days_to_pay === null || client.avg_days_to_pay <= payDaysMax) continue
    const message = `${client.name} paga a ${String(client.avg_days_to_pay).replace('.', ',')} días de media; la ley fija un máximo de ${payDaysMax}.`
    alerts.push({
      code: 'slow_payer',
      severity: 'info',
      message,
      data: { name: client.name, vat: client.vat, avg_days_to_pay: client.avg_days_to_pay },
    })
  }
  return alerts
}

function missingData({ withoutTaxId }: InsightsFacts): Alert[] {
  if (withoutTaxId === 0) return []
  const message = `${quantity(withoutTaxId, 'apunte con IVA no tiene', 'apuntes con IVA no tienen')} NIF de la otra parte: hacen falta para el libro registro y el 347.`
  return [{ code: 'missing_tax_id', severity: 'info', message, data: { count: withoutTaxId } }]
}

const quantity = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
const days = (count: number): string => quantity(count, 'día', 'días')
const percent = (value: number): string => `${String(value).replace('.', ',')} %`
const spanishDate = (date: string): string => `${date.slice(8)}/${date.slice(5, 7)}/${date.slice(0, 4)}`
const spanishMonth = (month: string): string => `${month.slice(5)}/${month.slice(0, 4)}`

/** `1.234,56 €`, grouped whatever the length. */
function money(cents: number): string {
  const magnitude = Math.abs(cents)
  const whole = String(Math.trunc(magnitude / 100)).replace(/\B(?=(\d{3})+$)/g, '.')
  return `${cents < 0 ? '-' : ''}${whole},${String(magnitude % 100).padStart(2, '0')} €`
}
