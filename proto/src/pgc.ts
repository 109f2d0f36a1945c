/**
 * The Spanish general chart of accounts (Plan General de Contabilidad, Real Decreto 1514/2007, fourth part), groups 1 to
 * 7: subgroups (two digits), accounts (three) and subaccounts (four) with the labels of the law.
 *
 * Companies add digits of their own below an account (`62800001`, `430.0012`): {@link pgcLabel} and
 * {@link chartAccount} answer for the nearest account of the chart above such a code.
 */
import chart from './data/pgc.json' with { type: 'json' }

/** One row of the chart. `code` has two to four digits. */
export interface PgcAccount {
  readonly code: string
  readonly label: string
}

/** What a purchase or sale account is for the reader of an invoice. */
export type PgcType = 'gasto' | 'inversion' | 'ingreso'

/** Every subgroup, account and subaccount, ordered by code as text. */
export const pgcChart: readonly PgcAccount[] = chart

const byCode = new Map(pgcChart.map((account) => [account.code, account]))

const groupLabels: Record<string, string> = {
  1: 'Financiación básica',
  2: 'Activo no corriente',
  3: 'Existencias',
  4: 'Acreedores y deudores por operaciones comerciales',
  5: 'Cuentas financieras',
  6: 'Compras y gastos',
  7: 'Ventas e ingresos',
}

/** The row with exactly this code, or null. */
export const pgcAccount = (code: string): PgcAccount | null => byCode.get(code) ?? null

/**
 * The nearest row of the chart at or above a code of any length up to 12 digits; dots and blanks are ignored. Null when
 * the code is no account: fewer than three digits, other signs, or an account number that the chart does not know.
 */
export function chartAccount(code: string): PgcAccount | null {
  const digits = code.replace(/[.\s]/g, '')
  if (!/^\d{3,12}$/.test(digits)) return null
  return byCode.get(digits.slice(0, 4)) ?? byCode.get(digits.slice(0, 3)) ?? null
}

/** True when the code is an account of the chart or a subdivision of one. */
export const isPgcAccount = (code: string): boolean => chartAccount(code) !== null

/** The label of the nearest account of the chart; the code itself where the chart knows none. */
export const pgcLabel = (code: string): string => chartAccount(code)?.label ?? code

/** The label of a group, `1` to `7`; null for another digit. */
export const pgcGroupLabel = (group: string): string | null => groupLabels[group] ?? null

/**
 * Whether an account is spent, invested or earned: group 7 is income, group 2 investment, all else (group 6, and stock
 * or advances of groups 3 and 4) expense.
 */
export const pgcType = (code: string): PgcType =>
  code.startsWith('7') ? 'ingreso' : code.startsWith('2') ? 'inversion' : 'gasto'

export const pgcTypeLabels: Record<PgcType, string> = { gasto: 'Gasto', inversion: 'Inversión', ingreso: 'Ingreso' }
