import type { Database } from '@asiento/chassis/db'
import { addDays } from '@asiento/proto/time'
import { sql } from 'kysely'
import type { EntryType } from '../../domain/entry.ts'
import {
  addFlows,
  type ClientSums,
  type InsightsFacts,
  type MonthSums,
  noFlows,
  type PendingMonth,
  type PendingSums,
  type RecordedTax,
  type RecurringItem,
  type TaxpayerKind,
} from '../../domain/insights/facts.ts'
import { addMonths, type DateRange, monthsOf, type Period, periodRange, quarterOf } from '../../domain/period.ts'
import { accountSums } from './journal.ts'
import type { Tables } from './tables.ts'

type Query = Database<Tables>['query']

export interface FactsQuestion {
  userId: number
  year: number
  period: Period
  today: string
  kind: TaxpayerKind | null
}

/** What insights are composed from: read from the period, its index and what is kept by month, never from all entries. */
export async function insightFacts(query: Query, question: FactsQuestion): Promise<InsightsFacts> {
  const { userId, year, period, today, kind } = question
  const range = periodRange(year, period)
  const [
    ofPeriod,
    clients,
    overdueIn,
    overdueOut,
    dueSoonOut,
    pendingByMonth,
    recurring,
    recordedTaxes,
    withholds,
    cash,
  ] = await Promise.all([
    periodFacts(query, userId, range),
    clientSums(query, userId, range, today),
    overdue(query, userId, 'income', today),
    overdue(query, userId, 'expense', today),
    dueBetween(query, userId, today, addDays(today, 7)),
    pendingMonths(query, userId),
    recurringItems(query, userId),
    recordedTaxesSince(query, userId, Number(today.slice(0, 4)) - 1),
    withholdings(query, userId, today),
    accountSums(query, userId, { from: null, to: today }, null),
  ])
  const recentFrom = addMonths(periodRange(Number(today.slice(0, 4)), quarterOf(today)).from.slice(0, 7), -3)
  const before = monthsOf(year - 1, period)
  const months = await monthSums(query, userId, earliest(recentFrom, before[0] ?? recentFrom))
  const sumsOf = (wanted: readonly string[]) =>
    months.filter(({ month }) => wanted.includes(month)).reduce(addFlows, noFlows)
  const reachesBack = await reachesBackTo(query, userId, before.at(-1) ?? '')
  return {
    today,
    year,
    period,
    kind,
    sums: sumsOf(monthsOf(year, period)),
    sumsBefore: reachesBack ? sumsOf(before) : null,
    ...ofPeriod,
    clients,
    overdueIn,
    overdueOut,
    dueSoonOut,
    openingCents: cash
      .filter(({ accountCode }) => accountCode.startsWith('57'))
      .reduce((sum, row) => sum + row.debitCents - row.creditCents, 0),
    pendingByMonth,
    recurring,
    recentMonths: months.filter(({ month }) => month >= recentFrom),
    recordedTaxes,
    withholds,
  }
}

const earliest = (a: string, b: string): string => (a < b ? a : b)

/** The sums of months from one on, `YYYY-MM`. */
export async function monthSums(query: Query, userId: number, from: string, to?: string): Promise<MonthSums[]> {
  const rows = await query
    .selectFrom('entry_months')
    .select(['month', 'type', 'base_cents', 'tax_cents', 'irpf_cents'])
    .where('user_id', '=', userId)
    .where('month', '>=', `${from}-01`)
    .where('month', '<=', `${to ?? '9999-12'}-01`)
    .orderBy('month')
    .execute()
  const months = new Map<string, MonthSums>()
  for (const row of rows) {
    const month = row.month.slice(0, 7)
    const sums = months.get(month) ?? { month, ...noFlows }
    const [base, tax, irpf] = [Number(row.base_cents), Number(row.tax_cents), Number(row.irpf_cents)]
    months.set(
      month,
      row.type === 'income'
        ? { ...sums, incomeCents: base, outputTaxCents: tax, incomeIrpfCents: irpf }
        : { ...sums, expenseCents: base, inputTaxCents: tax, expenseIrpfCents: irpf },
    )
  }
  return [...months.values()]
}

async function reachesBackTo(query: Query, userId: number, month: string): Promise<boolean> {
  const row = await query
    .selectFrom('entry_months')
    .select('month')
    .where('user_id', '=', userId)
    .where('month', '<=', `${month}-01`)
    .where('entries', '>', 0)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function periodFacts(
  query: Query,
  userId: number,
  { from, to }: DateRange,
): Promise<Pick<InsightsFacts, 'pendingInCents' | 'pendingOutCents' | 'withoutTaxId'>> {
  const { rows } = await sql<{ pending_in: string; pending_out: string; without_tax_id: number }>`
    select
      (select coalesce(sum(total_cents), 0) from entries
        where user_id = ${userId} and status = 'pending' and type = 'income' and date between ${from} and ${to}) as pending_in,
      (select coalesce(sum(total_cents), 0) from entries
        where user_id = ${userId} and status = 'pending' and type = 'expense' and date between ${from} and ${to}) as pending_out,
      (select count(*) from entries
        where user_id = ${userId} and date between ${from} and ${to} and tax_cents <> 0
          and coalesce(counterparty_vat, '') = '') as without_tax_id`.execute(query)
  const row = rows[0]
  return {
    pendingInCents: Number(row?.pending_in ?? 0),
    pendingOutCents: Number(row?.pending_out ?? 0),
    withoutTaxId: row?.without_tax_id ?? 0,
  }
}

async function clientSums(query: Query, userId: number, { from, to }: DateRange, today: string): Promise<ClientSums[]> {
  const { rows } = await sql<{
    name: string | null
    vat: string | null
    income: string
    invoices: number
    collected: number
    days: number
    pending: string
    overdue: string
  }>`
    select min(counterparty_name) as name, counterparty_vat as vat, sum(base_cents) as income, count(*) as invoices,
      count(*) filter (where status = 'collected') as collected,
      coalesce(sum(paid_at - date) filter (where status = 'collected'), 0)::bigint as days,
      coalesce(sum(total_cents) filter (where status = 'pending'), 0) as pending,
      coalesce(sum(total_cents) filter (where status = 'pending' and coalesce(due_date, date) < ${today}), 0) as overdue
    from entries
    where user_id = ${userId} and date between ${from} and ${to} and type = 'income'
    group by counterparty_vat, case when counterparty_vat is null then lower(counterparty_name) end`.execute(query)
  return rows.map((row) => ({
    name: row.name,
    vat: row.vat,
    incomeCents: Number(row.income),
    invoices: row.invoices,
    collected: row.collected,
    daysToPay: row.days,
    pendingCents: Number(row.pending),
    overdueCents: Number(row.overdue),
  }))
}

/** Pending entries that fell due before today: whole months as kept, the days of this month as they are. */
async function overdue(query: Query, userId: number, type: EntryType, today: string): Promise<PendingSums> {
  const thisMonth = `${today.slice(0, 7)}-01`
  const { rows } = await sql<{ count: number; cents: string; oldest: number | null }>`
    select sum(entries)::bigint as count, sum(total_cents) as cents,
      (select ${today}::date - coalesce(due_date, date) from entries
        where user_id = ${userId} and type = ${type} and status = 'pending'
        order by coalesce(due_date, date) limit 1) as oldest
    from (
      select entries, total_cents from pending_months
      where user_id = ${userId} and type = ${type} and month < ${thisMonth}
      union all
      select count(*), coalesce(sum(total_cents), 0) from entries
      where user_id = ${userId} and type = ${type} and status = 'pending'
        and coalesce(due_date, date) >= ${thisMonth} and coalesce(due_date, date) < ${today}) as part`.execute(query)
  const row = rows[0]
  return {
    count: row?.count ?? 0,
    cents: Number(row?.cents ?? 0),
    oldestDays: (row?.count ?? 0) === 0 ? 0 : Math.max(0, row?.oldest ?? 0),
  }
}

async function dueBetween(query: Query, userId: number, from: string, to: string): Promise<PendingSums> {
  const { rows } = await sql<{ count: number; cents: string }>`
    select count(*) as count, coalesce(sum(total_cents), 0) as cents from entries
    where user_id = ${userId} and type = 'expense' and status = 'pending'
      and coalesce(due_date, date) between ${from} and ${to}`.execute(query)
  return { count: rows[0]?.count ?? 0, cents: Number(rows[0]?.cents ?? 0), oldestDays: 0 }
}

async function pendingMonths(query: Query, userId: number): Promise<PendingMonth[]> {
  const rows = await query
    .selectFrom('pending_months')
    .select(['month', 'type', 'total_cents'])
    .where('user_id', '=', userId)
    .where('entries', '>', 0)
    .execute()
  return rows.map((row) => ({
    month: row.month.slice(0, 7),
    inCents: row.type === 'income' ? Number(row.total_cents) : 0,
    outCents: row.type === 'expense' ? Number(row.total_cents) : 0,
  }))
}

async function recurringItems(query: Query, userId: number): Promise<RecurringItem[]> {
  const rows = await query
    .selectFrom('recurring')
    .select(['template', 'frequency', 'start_date', 'end_date', 'occurrences'])
    .where('user_id', '=', userId)
    .where('next_date', 'is not', null)
    .execute()
  return rows.map((row) => ({
    type: row.template.type as EntryType,
    totalCents: Number(row.template.totalCents),
    schedule: {
      startDate: row.start_date,
      endDate: row.end_date,
      frequency: row.frequency,
      occurrences: row.occurrences,
    },
  }))
}

async function recordedTaxesSince(query: Query, userId: number, year: number): Promise<RecordedTax[]> {
  const rows = await query
    .selectFrom('tax_payments')
    .select(['model', 'year', 'period', 'amount_cents', 'status', 'due_date'])
    .where('user_id', '=', userId)
    .where('year', '>=', year)
    .execute()
  return rows.map((row) => ({
    model: row.model,
    year: row.year,
    period: row.period as Period,
    amountCents: row.amount_cents,
    status: row.status,
    dueDate: row.due_date,
  }))
}

/** Whether fees and rents with a withholding were recorded within a year. */
async function withholdings(query: Query, userId: number, today: string): Promise<InsightsFacts['withholds']> {
  const since = addDays(today, -365)
  const { rows } = await sql<{ fees: boolean; rents: boolean }>`
    select
      exists (select from entries where user_id = ${userId} and date >= ${since} and type = 'expense' and irpf_cents <> 0
        and account_code not like '621%') as fees,
      exists (select from entries where user_id = ${userId} and date >= ${since} and type = 'expense' and irpf_cents <> 0
        and account_code >= '621' and account_code < '622') as rents
    where exists (select from journal_months where user_id = ${userId} and account_code = '4751'
      and month >= date_trunc('month', ${since}::date))`.execute(query)
  return rows[0] ?? { fees: false, rents: false }
}
