import { type Cents, euros } from '@asiento/proto/money'
import { normalizeTaxId } from '@asiento/proto/tax-id'
import type { ClientSums } from './facts.ts'

export interface ClientView {
  name: string
  vat: string | null
  income: number
  /** Percent of the period's income, two decimals. */
  share: number
  invoices: number
  /** One decimal; null while nothing was collected. */
  avg_days_to_pay: number | null
  pending: number
  overdue: number
}

/** As many as a person reads. */
const listedMax = 100

/**
 * The clients of the period, by income. Rows of one client are one, also where its tax id was written in several ways; a
 * client without tax id is known by its name.
 */
export function clientViews(rows: readonly ClientSums[], incomeCents: Cents): ClientView[] {
  return mergeClients(rows)
    .sort((a, b) => b.incomeCents - a.incomeCents || (nameOf(a) < nameOf(b) ? -1 : 1))
    .slice(0, listedMax)
    .map((client) => ({
      name: nameOf(client),
      vat: client.vat,
      income: euros(client.incomeCents),
      share: incomeCents > 0 ? Math.round((client.incomeCents / incomeCents) * 10_000) / 100 || 0 : 0,
      invoices: client.invoices,
      avg_days_to_pay: client.collected === 0 ? null : Math.round((client.daysToPay / client.collected) * 10) / 10 || 0,
      pending: euros(client.pendingCents),
      overdue: euros(client.overdueCents),
    }))
}

function mergeClients(rows: readonly ClientSums[]): ClientSums[] {
  const clients = new Map<string, ClientSums>()
  for (const row of rows) {
    const vat = normalizeTaxId(row.vat ?? '') || null
    const key = vat === null ? `name:${(row.name ?? '').trim().toLowerCase()}` : `vat:${vat}`
    const known = clients.get(key)
    clients.set(key, known === undefined ? { ...row, vat } : sumOf(known, row))
  }
  return [...clients.values()]
}

const sumOf = (a: ClientSums, b: ClientSums): ClientSums => ({
  name: a.name ?? b.name,
  vat: a.vat,
  incomeCents: a.incomeCents + b.incomeCents,
  invoices: a.invoices + b.invoices,
  collected: a.collected + b.collected,
  daysToPay: a.daysToPay + b.daysToPay,
  pendingCents: a.pendingCents + b.pendingCents,
  overdueCents: a.overdueCents + b.overdueCents,
})

const nameOf = (client: ClientSums): string => client.name ?? client.vat ?? 'Sin identificar'
