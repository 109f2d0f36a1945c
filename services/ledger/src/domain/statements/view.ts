import { euros } from '@asiento/proto/money'
import type { Statement, StatementMovement } from './statement.ts'

/** A read statement by its public names; its movements can be sent to bank matching as they are. */
export const statementView = (statement: Statement) => ({
  format: statement.format,
  bank: statement.bank,
  movements: statement.movements.map(movementView),
  errors: statement.errors,
  mapping_request: statement.mappingRequest === null ? null : mappingView(statement.mappingRequest),
})

const movementView = (movement: StatementMovement) => ({
  id: movement.id,
  date: movement.date,
  value_date: movement.valueDate,
  amount: euros(movement.amountCents),
  description: movement.description,
  balance: movement.balanceCents === null ? null : euros(movement.balanceCents),
  currency: movement.currency,
  reference: movement.reference,
  account: movement.account,
})

const mappingView = (request: NonNullable<Statement['mappingRequest']>) => ({
  layout_key: request.layoutKey,
  delimiter: request.delimiter,
  columns: request.columns,
  sample: request.sample,
  guess: {
    date: request.guess.date ?? null,
    value_date: request.guess.valueDate ?? null,
    description: request.guess.description ?? [],
    amount: request.guess.amount ?? null,
    debit: request.guess.debit ?? null,
    credit: request.guess.credit ?? null,
    balance: request.guess.balance ?? null,
    currency: request.guess.currency ?? null,
    reference: request.guess.reference ?? null,
  },
})
