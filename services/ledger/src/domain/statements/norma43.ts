/**
 * Norma 43 («Cuaderno 43» of the Asociación Española de Banca, June 2012): fixed records of 80 signs. 11 opens an account,
 * 22 is a movement, 23 and 24 complete it, 33 closes the account with counts, sums and balance, 88 closes the file.
 */
import type { Cents } from '@asiento/proto/money'
import { eurosText } from '@asiento/proto/money'
import { bankOfAccount } from './csv-columns.ts'
import { readShortDate } from './read-date.ts'
import type { RawMovement, RawStatement, StatementError } from './statement.ts'

interface Account {
  line: number
  account: string
  currency: string | null
  openingCents: Cents
  movements: RawMovement[]
  debits: number
  credits: number
  debitCents: Cents
  creditCents: Cents
  closed: boolean
}

/** Files made for old systems end in Ctrl-Z. */
const endOfFile = String.fromCharCode(26)

const currencies: Record<string, string> = { '978': 'EUR', '840': 'USD', '826': 'GBP', '756': 'CHF', '392': 'JPY' }

/** True when a text begins like a Norma 43 file: a header record with digits where it must have them. */
export const looksLikeNorma43 = (text: string): boolean => /^\s*11\d{18}\d{12}[12]\d{14}/.test(text)

/**
 * Reads a Norma 43 file. An account whose counts, sums or final balance do not hold gives the error `total_mismatch` and
 * none of its movements, because a file that does not add up is cut or was changed. One account's error does not touch
 * the others.
 */
export function readNorma43(text: string): RawStatement {
  const errors: StatementError[] = []
  const accounts: Account[] = []
  let records = 0
  let ended = false
  for (const [at, raw] of recordsOf(text).entries()) {
    const line = at + 1
    const record = raw.trimEnd()
    if (record === '') continue
    const open = accounts.at(-1)
    const kind = record.slice(0, 2)
    if (kind !== '88') records += 1
    if (kind === '11') accounts.push(readHeader(record, line))
    else if (kind === '88') ended = checkEnd(record, line, records, errors)
    else if (open === undefined || open.closed) errors.push(misplaced(line, kind))
    else if (kind === '22') readMovement(record, line, open, errors)
    else if (kind === '23') addConcept(record, open)
    else if (kind === '24') continue
    else if (kind === '33') closeAccount(record, line, open, errors)
    else errors.push(misplaced(line, kind))
  }
  if (!ended)
    errors.push({ line: null, code: 'truncated', message: 'Falta el registro final (88): el fichero está incompleto.' })
  for (const account of accounts.filter((each) => !each.closed)) {
    account.movements = []
    const message = `La cuenta ${account.account} no tiene registro de totales (33): no se importa.`
    errors.push({ line: account.line, code: 'truncated', message })
  }
  return {
    format: 'norma43',
    bank: bankOfAccount(accounts[0]?.account ?? null),
    movements: accounts.flatMap((account) => account.movements),
    errors,
    mappingRequest: null,
  }
}

/** One record a line; files for old systems have no line ends at all, and every record has 80 signs. */
function recordsOf(text: string): string[] {
  const whole = text.replaceAll(endOfFile, '').trimEnd()
  const lines = whole.split('\n')
  return lines.length === 1 && whole.length > 80 ? (whole.match(/.{1,80}/g) ?? []) : lines
}

function readHeader(record: string, line: number): Account {
  return {
    line,
    account: record.slice(2, 20),
    currency: currencies[record.slice(47, 50)] ?? null,
    openingCents: signed(record.slice(32, 33), record.slice(33, 47)) ?? 0,
    movements: [],
    debits: 0,
    credits: 0,
    debitCents: 0,
    creditCents: 0,
    closed: false,
  }
}

/** A movement that cannot be read still counts in the sums as 0, so that its account does not close and stays out. */
function readMovement(record: string, line: number, account: Account, errors: StatementError[]): void {
  const date = readShortDate(record.slice(10, 16))
  const amountCents = signed(record.slice(27, 28), record.slice(28, 42))
  if (date === null) {
    errors.push({ line, code: 'invalid_date', message: `«${record.slice(10, 16)}» no es una fecha AAMMDD.` })
    return
  }
  if (amountCents === null) {
    errors.push({ line, code: 'invalid_amount', message: 'El importe o la clave debe/haber no se pueden leer.' })
    return
  }
  if (record.slice(27, 28) === '1') {
    account.debits += 1
    account.debitCents -= amountCents
  } else {
    account.credits += 1
    account.creditCents += amountCents
  }
  if (amountCents === 0) {
    errors.push({ line, code: 'zero_amount', message: 'Apunte de 0,00: no mueve dinero y no se importa.' })
  }
  const references = [record.slice(42, 52), record.slice(52, 64), record.slice(64, 80)].map((text) => text.trim())
  account.movements.push({
    date,
    valueDate: readShortDate(record.slice(16, 22)),
    amountCents,
    description: references.filter((text) => /[^0\s]/.test(text)).join(' '),
    balanceCents: null,
    currency: account.currency,
    reference: references.filter((text) => /[^0\s]/.test(text)).join(' ') || null,
    account: account.account,
  })
}

/** Complementary concepts are the description; until the first comes, the references stand in for it. */
function addConcept(record: string, account: Account): void {
  const movement = account.movements.at(-1)
  if (movement === undefined) return
  const concept = record.slice(4, 80).replace(/\s+/g, ' ').trim()
  if (concept === '') return
  const first = record.slice(2, 4) === '01' || movement.description === (movement.reference ?? '')
  movement.description = first ? concept : `${movement.description} ${concept}`
}

function closeAccount(record: string, line: number, account: Account, errors: StatementError[]): void {
  account.closed = true
  const expected = {
    debits: Number(record.slice(20, 25)),
    debitCents: Number(record.slice(25, 39)),
    credits: Number(record.slice(39, 44)),
    creditCents: Number(record.slice(44, 58)),
    finalCents: signed(record.slice(58, 59), record.slice(59, 73)),
  }
  const finalCents = account.openingCents + account.creditCents - account.debitCents
  const holds =
    expected.debits === account.debits &&
    expected.credits === account.credits &&
    expected.debitCents === account.debitCents &&
    expected.creditCents === account.creditCents &&
    expected.finalCents === finalCents
  if (!holds) {
    account.movements = []
    const sums = `debe ${eurosText(account.debitCents)}, haber ${eurosText(account.creditCents)}, saldo ${eurosText(finalCents)}`
    const message = `Los totales de la cuenta ${account.account} no cuadran con sus movimientos (${sums}): no se importa.`
    errors.push({ line, code: 'total_mismatch', message })
  }
  account.movements = account.movements.filter((movement) => movement.amountCents !== 0)
}

/** Some banks count the closing record itself. */
function checkEnd(record: string, line: number, records: number, errors: StatementError[]): boolean {
  const stated = Number(record.slice(20, 26))
  if (stated !== records && stated !== records + 1) {
    const message = `El fichero dice tener ${stated} registros y tiene ${records}.`
    errors.push({ line, code: 'total_mismatch', message })
  }
  return true
}

/** 1 is debit (money out), 2 is credit; 14 digits with two decimals. */
function signed(sign: string, digits: string): Cents | null {
  if (!/^\d{14}$/.test(digits) || (sign !== '1' && sign !== '2')) return null
  const amount = Number(digits)
  return sign === '1' && amount !== 0 ? -amount : amount
}

const misplaced = (line: number, kind: string): StatementError => ({
  line,
  code: 'invalid_row',
  message: `Registro «${kind}» inesperado.`,
})
