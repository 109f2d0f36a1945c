import { setImmediate } from 'node:timers/promises'
import { failValidation } from '@asiento/proto/errors'
import { euros } from '@asiento/proto/money'
import { pgcLabel } from '@asiento/proto/pgc'
import type { Handlers } from '@asiento/proto/rpc'
import { isDate } from '@asiento/proto/time'
import { accountSums, bookedHead, chainPiece, eachTransaction, findTransactions } from '../adapters/out/journal.ts'
import { type ChainedRow, emptyChain, verifyRows } from '../domain/hash-chain.ts'
import type { JournalLine } from '../domain/posting.ts'
import type { Column, Exporter } from './export-table.ts'
import type { Ledger } from './ledger.ts'

type JournalHandlers = Pick<Handlers<'ledger'>, 'journal' | 'verifyJournal' | 'trialBalance'>

const piece = 2000

/** The journal, its proof and its balances. */
export const journal = (ledger: Ledger, exportTable: Exporter): JournalHandlers => ({
  journal: async ({ query }, { actor }) => {
    const { limit, offset, format } = query
    const filter = { from: query.from || null, to: query.to || null, entryId: query.entry_id ?? null }
    if (format !== 'json') {
      const rows = linesOf(eachTransaction(ledger.db.query, actor.userId, filter))
      return exportTable(format, { name: 'diario', columns: lineColumns, rows })
    }
    const { rows, total } = await findTransactions(ledger.db.query, actor.userId, filter, { limit, offset })
    return {
      items: rows.map(transactionView),
      total,
      limit,
      offset,
      has_more: offset + rows.length < total,
    }
  },

  verifyJournal: async (_, { actor }) => {
    const { query } = ledger.db
    const booked = await bookedHead(query, actor.userId)
    let head = emptyChain
    while (head.id < booked.id) {
      const rows = await chainPiece(query, actor.userId, head.id, Math.min(piece, booked.id - head.id))
      const verified = verifyRows(head, rows)
      head = verified.head
      if (verified.brokenId !== null || rows.length === 0) return brokenAt(head.id + 1, head.id)
      await setImmediate()
    }
    if (head.hash !== booked.hash) return brokenAt(booked.id, booked.id - 1)
    if (booked.maxId > booked.id) return brokenAt(booked.id + 1, head.id)
    return { valid: true, checked: head.id, first_broken_id: null }
  },

  trialBalance: async ({ query }, { actor }) => {
    const range = { from: query.from || null, to: query.to || null }
    const sums = await accountSums(ledger.db.query, actor.userId, range, asOfInstant(query.as_of))
    const total = (side: 'debitCents' | 'creditCents') => sums.reduce((sum, row) => sum + row[side], 0)
    return {
      ...range,
      accounts: sums.map(({ accountCode, debitCents, creditCents }) => ({
        account_code: accountCode,
        account_label: pgcLabel(accountCode),
        debit: euros(debitCents),
        credit: euros(creditCents),
        balance: euros(debitCents - creditCents),
      })),
      totals: { debit: euros(total('debitCents')), credit: euros(total('creditCents')) },
    }
  },
})

const brokenAt = (id: number, checked: number) => ({ valid: false, checked, first_broken_id: id })

/** A day means its end. */
function asOfInstant(text: string): string | null {
  if (text === '') return null
  const date = text.slice(0, 10)
  if (!isDate(date)) failValidation(['query', 'as_of'], 'This date does not exist')
  return text.length === 10 ? `${date} 23:59:59` : `${date} ${text.slice(11)}`
}

const transactionView = (row: ChainedRow) => ({
  id: row.id,
  date: row.date,
  entry_id: row.entryId,
  concept: row.concept,
  lines: row.lines.map((line) => ({
    account_code: line.accountCode,
    account_label: pgcLabel(line.accountCode),
    debit: euros(line.debitCents),
    credit: euros(line.creditCents),
  })),
  hash: row.hash,
  previous_hash: row.previousHash,
  created_at: row.createdAt,
})

interface ExportedLine {
  row: ChainedRow
  line: JournalLine
}

async function* linesOf(rows: AsyncIterable<ChainedRow>): AsyncGenerator<ExportedLine> {
  for await (const row of rows) yield* row.lines.map((line) => ({ row, line }))
}

const lineColumns: readonly Column<ExportedLine>[] = [
  { label: 'Asiento', value: ({ row }) => row.id },
  { label: 'Fecha', value: ({ row }) => row.date },
  { label: 'Apunte', value: ({ row }) => row.entryId },
  { label: 'Concepto', value: ({ row }) => row.concept },
  { label: 'Cuenta', value: ({ line }) => line.accountCode },
  { label: 'Nombre de la cuenta', value: ({ line }) => pgcLabel(line.accountCode) },
  { label: 'Debe', value: ({ line }) => euros(line.debitCents) },
  { label: 'Haber', value: ({ line }) => euros(line.creditCents) },
  { label: 'Huella', value: ({ row }) => row.hash },
]
