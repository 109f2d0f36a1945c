import { euros } from '@asiento/proto/money'
import type { Handlers } from '@asiento/proto/rpc'
import type { EntriesQuery } from '@asiento/proto/schemas/ledger/entries'
import { type EntryFilter, eachEntry, findEntries } from '../adapters/out/entry-search.ts'
import { entryTable } from './entry-table.ts'
import { entryView } from './entry-view.ts'
import type { Exporter } from './export-table.ts'
import type { Ledger } from './ledger.ts'

/** Entries newest first as a page, or all that fit as a file. */
export const listEntries =
  (ledger: Ledger, exportTable: Exporter): Handlers<'ledger'>['listEntries'] =>
  async ({ query }, { actor }) => {
    const filter = filterOf(query)
    if (query.format !== 'json') {
      return exportTable(query.format, {
        ...entryTable,
        name: 'apuntes',
        rows: eachEntry(ledger.db.query, actor.userId, filter),
      })
    }
    const { limit, offset } = query
    const page = await findEntries(ledger.db.query, actor.userId, filter, { limit, offset })
    return {
      items: page.entries.map(entryView),
      total: page.total,
      limit,
      offset,
      has_more: offset + page.entries.length < page.total,
      sums: {
        income: euros(page.incomeCents),
        expense: euros(page.expenseCents),
        balance: euros(page.incomeCents - page.expenseCents),
      },
    }
  }

const filterOf = ({ type, status, q, from_date, to_date }: EntriesQuery): EntryFilter => ({
  type: type === '' ? null : type,
  status: status === '' ? null : status,
  q: q === '' ? null : q,
  from: from_date === '' ? null : from_date,
  to: to_date === '' ? null : to_date,
})
