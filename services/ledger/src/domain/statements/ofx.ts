/**
 * OFX 1 (SGML, tags left open) and OFX 2 (XML). Both are read by one tokenizer of tags and texts: no entity beyond the five
 * of XML and the numeric ones is resolved, no document type is honoured, nothing is fetched.
 */
import { bankOfAccount } from './csv-columns.ts'
import { decimalMarkOf, readAmount } from './read-amount.ts'
import { readDate } from './read-date.ts'
import type { RawMovement, RawStatement, StatementError } from './statement.ts'

interface Token {
  line: number
  closing: boolean
  name: string
  value: string
}

type Fields = Map<string, string>

export const looksLikeOfx = (text: string): boolean => /^\s*(OFXHEADER\s*:|<\?OFX\b)|<OFX>/i.test(text.slice(0, 4096))

/** Reads the bank and card statements of an OFX file; one movement per STMTTRN. */
export function readOfx(text: string): RawStatement {
  const movements: RawMovement[] = []
  const errors: StatementError[] = []
  let account: string | null = null
  let currency: string | null = null
  let bankId = ''
  let open: { line: number; fields: Fields } | null = null
  let transfer = false
  const close = (): void => {
    if (open === null) return
    const read = readTransaction(open.fields, open.line, { account, currency })
    if ('code' in read) errors.push(read)
    else movements.push(read)
    open = null
  }
  for (const { line, closing, name, value } of tokens(text)) {
    if (name === 'BANKACCTTO' || name === 'CCACCTTO') transfer = !closing
    else if (name === 'STMTTRN') {
      close()
      if (!closing) open = { line, fields: new Map() }
    } else if (name === 'BANKTRANLIST' && closing) close()
    else if (closing || value === '' || transfer) continue
    else if (open !== null) (open as { fields: Fields }).fields.set(name, value)
    else if (name === 'BANKID') bankId = value
    else if (name === 'ACCTID') account = joinAccount(bankId, value)
    else if (name === 'CURDEF') currency = value.toUpperCase()
  }
  close()
  return { format: 'ofx', bank: bankOfAccount(account), movements, errors, mappingRequest: null }
}

function readTransaction(
  fields: Fields,
  line: number,
  { account, currency }: { account: string | null; currency: string | null },
): RawMovement | StatementError {
  const posted = fields.get('DTPOSTED') ?? ''
  const date = readDate(posted.slice(0, 8))
  if (date === null) return { line, code: 'invalid_date', message: `«${posted}» no es una fecha (DTPOSTED).` }
  const text = fields.get('TRNAMT') ?? ''
  const amountCents = readAmount(text, decimalMarkOf([text]))
  if (amountCents === null) return { line, code: 'invalid_amount', message: `«${text}» no es un importe (TRNAMT).` }
  if (amountCents === 0)
    return { line, code: 'zero_amount', message: 'Apunte de 0,00: no mueve dinero y no se importa.' }
  const name = fields.get('NAME') ?? fields.get('PAYEE') ?? ''
  const memo = fields.get('MEMO') ?? ''
  const repeated = name.toLowerCase().includes(memo.toLowerCase())
  return {
    date,
    valueDate: readDate((fields.get('DTAVAIL') ?? fields.get('DTUSER') ?? '').slice(0, 8)),
    amountCents,
    description: (repeated ? name : memo.toLowerCase().includes(name.toLowerCase()) ? memo : `${name} ${memo}`).trim(),
    balanceCents: null,
    currency,
    reference: fields.get('FITID') ?? fields.get('REFNUM') ?? null,
    account,
  }
}

function* tokens(text: string): Generator<Token> {
  let line = 1
  let counted = 0
  for (const match of text.matchAll(/<(\/?)([A-Za-z][\w.]*)>([^<]*(?:<!\[CDATA\[[\s\S]*?\]\]>)?[^<]*)/g)) {
    for (let at = counted; at < match.index; at += 1) if (text.charCodeAt(at) === 10) line += 1
    counted = match.index
    const value = (match[3] ?? '').replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1')
    yield { line, closing: match[1] === '/', name: (match[2] ?? '').toUpperCase(), value: decodeEntities(value).trim() }
  }
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? whole
    const point = decimal !== undefined ? Number(decimal) : Number.parseInt(String(hex), 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })

/** Spanish banks give the whole account, or the entity in BANKID and the rest in ACCTID. */
const joinAccount = (bankId: string, accountId: string): string => {
  const bare = accountId.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return /^\d{16}$/.test(bare) && /^\d{4}$/.test(bankId) ? bankId + bare : bare
}
