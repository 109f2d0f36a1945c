/**
 * CAMT.053, the ISO 20022 bank-to-customer statement, in any of its versions (camt.053.001.02 to .13): names are compared
 * without namespace. A document type or an entity declaration is refused before the parser sees the file.
 */
import { type Cents, cents, eurosText } from '@asiento/proto/money'
import { XmlDocument, XmlElement } from 'libxml2-wasm'
import { bankOfAccount } from './csv-columns.ts'
import { readDate } from './read-date.ts'
import type { RawMovement, RawStatement, StatementError, StatementErrorCode } from './statement.ts'

export const looksLikeCamt053 = (text: string): boolean =>
  /camt\.053\.001|<(?:\w+:)?BkToCstmrStmt[\s>]/.test(text.slice(0, 65_536))

/**
 * Reads booked entries (`Sts` BOOK, or none); pending and informative ones are not money yet and are left out. A statement
 * whose opening balance and entries do not give its closing balance is the error `total_mismatch` and stays out.
 */
export function readCamt053(text: string): RawStatement {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) {
    return refused('unsafe_xml', 'El XML declara un tipo de documento o entidades, que no se admiten.')
  }
  let document: XmlDocument
  try {
    document = XmlDocument.fromString(text.replace(/^\s*<\?xml[^>]*\?>/, ''))
  } catch {
    return refused('invalid_xml', 'El fichero no es un XML bien formado.')
  }
  try {
    return readStatements(document.root)
  } finally {
    document.dispose()
  }
}

function readStatements(root: XmlElement): RawStatement {
  const movements: RawMovement[] = []
  const errors: StatementError[] = []
  let bank: RawStatement['bank'] = null
  const messages = root.name === 'BkToCstmrStmt' ? [root] : children(root, 'BkToCstmrStmt')
  for (const statement of messages.flatMap((message) => children(message, 'Stmt'))) {
    const read = readStatement(statement)
    bank ??= bankOfAccount(read.account)
    movements.push(...read.movements)
    errors.push(...read.errors)
  }
  if (messages.length === 0)
    errors.push({ line: null, code: 'unknown_format', message: 'El XML no es un extracto CAMT.053.' })
  return { format: 'camt053', bank, movements, errors, mappingRequest: null }
}

function readStatement(statement: XmlElement): {
  account: string | null
  movements: RawMovement[]
  errors: StatementError[]
} {
  const account = textAt(statement, 'Acct', 'Id', 'IBAN') ?? textAt(statement, 'Acct', 'Id', 'Othr', 'Id')
  const errors: StatementError[] = []
  const movements: RawMovement[] = []
  for (const entry of children(statement, 'Ntry')) {
    const status = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts') ?? 'BOOK'
    if (status.trim() !== 'BOOK') continue
    const read = readEntry(entry, account)
    if ('code' in read) errors.push(read)
    else movements.push(read)
  }
  const mismatch = checkBalances(statement, movements)
  if (mismatch === null) return { account, movements, errors }
  return { account, movements: [], errors: [...errors, mismatch] }
}

function readEntry(entry: XmlElement, account: string | null): RawMovement | StatementError {
  const line = entry.line
  const date = dateAt(entry, 'BookgDt') ?? dateAt(entry, 'ValDt')
  if (date === null) return { line, code: 'invalid_date', message: 'El apunte no tiene fecha contable.' }
  const amountCents = signedAmount(entry)
  if (amountCents === null) return { line, code: 'invalid_amount', message: 'El importe del apunte no se puede leer.' }
  if (amountCents === 0)
    return { line, code: 'zero_amount', message: 'Apunte de 0,00: no mueve dinero y no se importa.' }
  return {
    date,
    valueDate: dateAt(entry, 'ValDt'),
    amountCents,
    description: describe(entry, amountCents),
    balanceCents: null,
    currency: children(entry, 'Amt')[0]?.attr('Ccy')?.value ?? null,
    reference: textAt(entry, 'AcctSvcrRef') ?? textAt(entry, 'NtryRef'),
    account,
  }
}

/** Who and what for: the other party, the remittance information, else the bank's own text. */
function describe(entry: XmlElement, amountCents: Cents): string {
  const parts: string[] = []
  for (const details of children(entry, 'NtryDtls').flatMap((each) => children(each, 'TxDtls'))) {
    const other = amountCents > 0 ? 'Dbtr' : 'Cdtr'
    parts.push(textAt(details, 'RltdPties', other, 'Nm') ?? textAt(details, 'RltdPties', other, 'Pty', 'Nm') ?? '')
    for (const remittance of children(details, 'RmtInf')) {
      parts.push(...children(remittance, 'Ustrd').map((each) => each.content))
      parts.push(...children(remittance, 'Strd').map((each) => textAt(each, 'CdtrRefInf', 'Ref') ?? ''))
    }
  }
  parts.push(textAt(entry, 'AddtlNtryInf') ?? '')
  const kept: string[] = []
  for (const part of parts.map((text) => text.replace(/\s+/g, ' ').trim())) {
    if (part !== '' && !kept.join(' ').toLowerCase().includes(part.toLowerCase())) kept.push(part)
  }
  return kept.join(' ')
}

/** Opening booked plus the entries is closing booked; statements without both balances cannot be checked. */
function checkBalances(statement: XmlElement, movements: readonly RawMovement[]): StatementError | null {
  const balances = new Map<string, Cents | null>()
  for (const balance of children(statement, 'Bal')) {
    balances.set(textAt(balance, 'Tp', 'CdOrPrtry', 'Cd') ?? '', signedAmount(balance))
  }
  const opening = balances.get('OPBD') ?? balances.get('PRCD')
  const closing = balances.get('CLBD')
  if (opening === undefined || opening === null || closing === undefined || closing === null) return null
  const reached = movements.reduce((sum, movement) => sum + movement.amountCents, opening)
  if (reached === closing) return null
  const message = `El saldo final ${eurosText(closing)} no es el inicial más los apuntes (${eurosText(reached)}): no se importa.`
  return { line: statement.line, code: 'total_mismatch', message }
}

/** `CdtDbtInd` already has the direction of a reversal: `RvslInd` changes nothing. */
function signedAmount(holder: XmlElement): Cents | null {
  const text = textAt(holder, 'Amt') ?? ''
  const direction = textAt(holder, 'CdtDbtInd')
  if (!/^-?\d{1,15}(\.\d{1,2}0*)?$/.test(text) || (direction !== 'CRDT' && direction !== 'DBIT')) return null
  const amount = cents(text)
  return direction === 'DBIT' && amount !== 0 ? -amount : amount
}

const dateAt = (holder: XmlElement, name: string): string | null => {
  const text = textAt(holder, name, 'Dt') ?? textAt(holder, name, 'DtTm')
  return text === null ? null : readDate(text.slice(0, 10))
}

function textAt(holder: XmlElement, ...path: string[]): string | null {
  let current: XmlElement | undefined = holder
  for (const name of path) current = current === undefined ? undefined : children(current, name)[0]
  return current?.content.trim() || null
}

function children(holder: XmlElement, name: string): XmlElement[] {
  const found: XmlElement[] = []
  for (let node = holder.firstChild; node !== null; node = node.next) {
    if (node instanceof XmlElement && node.name === name) found.push(node)
  }
  return found
}

const refused = (code: StatementErrorCode, message: string): RawStatement => ({
  format: 'camt053',
  bank: null,
  movements: [],
  errors: [{ line: null, code, message }],
  mappingRequest: null,
})
