import { chartAccount, pgcLabel, pgcType, pgcTypeLabels } from '@asiento/proto/pgc'
import type { AccountingDetail } from '@asiento/proto/schemas/risk'
import { fiscalNotes } from './fiscal-notes.ts'
import { type Classification, classify, type Purchase } from './pgc/classify.ts'

/** What decides the account beside vendor and lines. */
export interface AccountingCase extends Purchase {
  /** What the account itself taught for this vendor. */
  learnedAccount?: string | null | undefined
  /** True when the account itself issued the invoice: it is income. */
  ownInvoice?: boolean | undefined
  taxCents?: number | null | undefined
  /** ISO 3166-1 alpha-3 of the vendor. */
  vendorCountry?: string | null | undefined
}

/**
 * The accounting object of an invoice: what was taught wins, then the rules. Total: it always answers. `found` is for who
 * has classified the same purchase already.
 */
export function accountingOf(situation: AccountingCase, found = classify(situation)): AccountingDetail {
  if (situation.ownInvoice === true) return income(found)
  const learned = situation.learnedAccount
  if (learned != null) return taught(learned, found)
  return detail({
    code: found.account,
    confidence: found.confidence,
    method: 'regla',
    reasoning: [why(found), ...fiscalNotes(found, situation)].join(' '),
    suggestions: found.candidates,
  })
}

/** The accounting object for an account that the user taught. */
export const taught = (code: string, found: Classification): AccountingDetail =>
  detail({
    code,
    confidence: 'alta',
    method: 'aprendida',
    reasoning: `Aprendido de sus correcciones: las facturas de este proveedor van a ${code} ${pgcLabel(code)}.`,
    suggestions: [
      { account: code, score: 1 },
      ...found.candidates
        .filter((candidate) => candidate.account !== code)
        .map(({ account }) => ({ account, score: 0 })),
    ],
  })

/** The accounting object for an account that a language model proposed where the rules were unsure. */
export const proposed = (code: string, found: Classification): AccountingDetail =>
  detail({
    code,
    confidence: 'media',
    method: 'ia',
    reasoning: `Las reglas no bastaban; el modelo de lenguaje propone ${code} ${pgcLabel(code)}. Revíselo.`,
    suggestions: [
      { account: code, score: 0.6 },
      ...found.candidates.filter(({ account }) => account !== code).map(({ account }) => ({ account, score: 0.2 })),
    ],
  })

interface Decision {
  code: string
  confidence: AccountingDetail['confidence']
  method: AccountingDetail['method']
  reasoning: string
  suggestions: { account: string; score: number }[]
}

function detail(decision: Decision): AccountingDetail {
  const type = pgcType(decision.code)
  return {
    account_code: decision.code,
    account_label: pgcLabel(decision.code),
    type,
    type_label: pgcTypeLabels[type],
    confidence: decision.confidence,
    method: decision.method,
    reasoning: decision.reasoning,
    suggestions: decision.suggestions
      .filter((suggestion) => chartAccount(suggestion.account) !== null)
      .slice(0, 3)
      .map(({ account, score }) => ({ account_code: account, account_label: pgcLabel(account), score })),
  }
}

function why(found: Classification): string {
  const account = `${found.account} ${pgcLabel(found.account)}`
  const vendor = found.vendorPhrase === null ? null : `el proveedor («${found.vendorPhrase}»)`
  const lines = found.linePhrase === null ? null : `el concepto («${found.linePhrase}»)`
  const cause = [vendor, lines].filter((part) => part !== null).join(' y ')
  if (cause === '') return `Ni el proveedor ni los conceptos dicen de qué se trata; se propone ${account}. Revíselo.`
  const verb = vendor !== null && lines !== null ? 'corresponden' : 'corresponde'
  const sentence = `${cause.charAt(0).toUpperCase()}${cause.slice(1)} ${verb} a ${account}.`
  const others = found.candidates.slice(1).filter((candidate) => candidate.score >= 0.15)
  if (found.confidence === 'alta' || others.length === 0) return sentence
  return `${sentence} También cabría ${others.map(({ account: code }) => `${code} ${pgcLabel(code)}`).join(' o ')}.`
}

/** A sale: goods, rent, commission, else services. */
function income(found: Classification): AccountingDetail {
  const code = found.account.startsWith('60') ? '700' : found.account === '621' ? '752' : '705'
  const label = `${code} ${pgcLabel(code)}`
  return detail({
    code,
    confidence: found.account === '629' ? 'media' : 'alta',
    method: 'regla',
    reasoning: `El emisor es la propia cuenta: es un ingreso, ${label}.`,
    suggestions: [code, ...['705', '700', '752'].filter((other) => other !== code)].map((account, index) => ({
      account,
      score: index === 0 ? 0.9 : 0.05,
    })),
  })
}
