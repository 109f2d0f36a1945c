import { createHash } from 'node:crypto'
import type { RawMovement, StatementMovement } from './statement.ts'

/**
 * Gives each movement an id by which it is known again: a hash of its account, date, amount and description, and of its
 * place among the equal ones of that day. So the same movement in two overlapping files is one, and two equal movements
 * of one day are two. Balances, references and value dates stay out: banks add, drop and renumber them between exports.
 *
 * Holds for files that have whole days, which is how every bank cuts them, newest or oldest first alike.
 *
 * @param accountFallback the account the user imports into, for files that do not name one
 */
export function withFingerprints(
  movements: readonly RawMovement[],
  accountFallback: string | null = null,
): StatementMovement[] {
  const seen = new Map<string, number>()
  return movements.map((movement) => {
    const key = [
      accountKey(movement.account ?? accountFallback ?? ''),
      movement.date,
      String(movement.amountCents),
      movement.description
        .normalize('NFKD')
        .replace(/\P{Letter}/gu, (sign) => (/\d/.test(sign) ? sign : ''))
        .toUpperCase(),
    ].join('|')
    const place = (seen.get(key) ?? 0) + 1
    seen.set(key, place)
    const id = createHash('sha256').update(`${key}|${place}`).digest('hex').slice(0, 32)
    return { id, ...movement }
  })
}

/**
 * One name for an account in every format: a Spanish IBAN or CCC as entity, branch and number (18 digits, as Norma 43
 * has it, without control digits); any other account in upper case without blanks.
 */
export function accountKey(account: string): string {
  const bare = account.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const ccc = /^ES\d{22}$/.test(bare) ? bare.slice(4) : /^\d{20}$/.test(bare) ? bare : null
  return ccc === null ? bare : ccc.slice(0, 8) + ccc.slice(10)
}
