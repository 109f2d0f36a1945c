import { setImmediate as turn } from 'node:timers/promises'
import { checkIban } from '@asiento/proto/iban'
import type { ExtractionWarning, FraudChecks } from '@asiento/proto/schemas/extraction-result'
import type { AssessInput, AssessOutput } from '@asiento/proto/schemas/risk'
import { checkTaxId } from '@asiento/proto/tax-id'
import { checkVatNumber, vatCountries } from '@asiento/proto/tax-id-eu'
import type { AccountModel } from '../adapters/out/account-model.ts'
import type { JudgedInvoice, Knowledge, Store } from '../adapters/out/store.ts'
import type { Vies } from '../adapters/out/vies.ts'
import { accountingOf, proposed } from '../domain/accounting.ts'
import { findDuplicate } from '../domain/duplicates.ts'
import { numberKey } from '../domain/invoice-number.ts'
import { type Classification, classify, type Purchase } from '../domain/pgc/classify.ts'
import { storedVat, vendorKey } from '../domain/vendor-key.ts'
import { alpha2 } from './country-codes.ts'

export interface AssessDeps {
  store: Store
  vies: Vies | null
  model: AccountModel | null
}

const viesYesSeconds = 30 * 86_400
const viesNoSeconds = 86_400

/** Judges an invoice that was just read: one round trip to the database as a rule; see the procedure's contract. */
export const assess =
  ({ store, vies, model }: AssessDeps) =>
  async (input: AssessInput): Promise<AssessOutput> => {
    const invoice = judged(input)
    const purchase = purchaseOf(input)
    // The question is on its way after one turn of the event loop; the words are read while the database looks.
    const [known, found] = await Promise.all([store.assess(invoice), turn().then(() => classify(purchase))])
    const [fraudChecks, accounting] = await Promise.all([
      input.fraudChecks ? checks({ store, vies }, input, invoice, known) : null,
      account(model, input, { purchase, found, learned: known.learned }),
    ])
    return { fraudChecks, accounting, warnings: input.fraudChecks ? warningsOf(known) : [] }
  }

function judged(input: AssessInput): JudgedInvoice {
  const vat = storedVat(input.vendorVat)
  const iban = input.iban === null ? null : checkIban(input.iban)
  return {
    logId: input.logId,
    scope: input.scope,
    fileSha256: input.fileSha256,
    vendorKey: vendorKey({ vat, name: input.vendorName }),
    vendorVat: vat,
    vendorName: storable(input.vendorName, 300),
    numberKey: numberKey(input.invoiceNumber),
    number: storable(input.invoiceNumber, 200),
    totalCents: input.totalCents,
    date: input.invoiceDate,
    iban: iban?.valid === true ? iban.value : null,
  }
}

/** PostgreSQL holds no NUL in text. */
const storable = (text: string | null, lengthMax: number): string | null =>
  text === null ? null : text.replaceAll('\u0000', '').slice(0, lengthMax)

async function checks(
  deps: Pick<AssessDeps, 'store' | 'vies'>,
  input: AssessInput,
  invoice: JudgedInvoice,
  known: Knowledge,
): Promise<FraudChecks> {
  const mark = { vendor: { key: invoice.vendorKey, name: invoice.vendorName }, ...invoice }
  const duplicate = findDuplicate(mark, known.candidates, known.dismissed)
  const [vatVerification] = await Promise.all([
    verifyVat(deps, input, known),
    duplicate !== null && !input.scope.sandbox ? deps.store.keepAlert(invoice, duplicate) : undefined,
  ])
  return {
    duplicate:
      duplicate === null
        ? { detected: false }
        : {
            detected: true,
            original_log_id: duplicate.originalLogId,
            reason: duplicate.reason,
            score: duplicate.score,
          },
    vat_verification: vatVerification,
    iban_check: ibanCheck(input.iban, invoice.iban, known),
  }
}

/**
 * The local verdict by form and check digits; VIES can only confirm it. Its no, its silence and its outage leave a
 * right number `format_valid`.
 */
async function verifyVat(
  { store, vies }: Pick<AssessDeps, 'store' | 'vies'>,
  input: AssessInput,
  known: Knowledge,
): Promise<FraudChecks['vat_verification']> {
  const vat = storedVat(input.vendorVat)
  if (vat === null) return { valid: false, status: 'missing' }
  const country = alpha2(input.vendorCountry)
  const verdict = checkVatNumber(vat, country ?? undefined)
  const judgeable = country === null || verdict.country !== null || vatCountries.includes(country)
  if (!judgeable) return { valid: true, status: 'format_valid', source: 'checksum' }
  if (!verdict.valid || verdict.country === null) return { valid: false, status: 'invalid', source: 'checksum' }
  const cached = known.vies
  const fresh = cached !== null && cached.age_seconds < (cached.registered ? viesYesSeconds : viesNoSeconds)
  const answer = fresh ? cached : ((await vies?.ask(verdict.country, verdict.number)) ?? null)
  if (!fresh && answer !== null && !input.scope.sandbox) await store.keepViesAnswer(vat, answer.registered)
  return answer?.registered === true
    ? { valid: true, status: 'verified', source: 'vies' }
    : { valid: true, status: 'format_valid', source: 'checksum' }
}

function ibanCheck(printed: string | null, valid: string | null, known: Knowledge): FraudChecks['iban_check'] {
  const trusted = known.trust?.trusted_iban ?? null
  if (printed === null || printed.trim() === '') return { detected: false, reason: null, trusted_iban: trusted }
  if (valid === null) return { detected: true, reason: 'invalid', trusted_iban: trusted }
  if (known.trust === null) return { detected: false, reason: null, trusted_iban: null }
  if (trusted !== null && trusted !== valid) return { detected: true, reason: 'changed', trusted_iban: trusted }
  return { detected: false, reason: known.trust.first ? 'first_seen' : null, trusted_iban: trusted ?? valid }
}

function warningsOf(known: Knowledge): ExtractionWarning[] {
  if (known.shared_with === null) return []
  return [
    {
      code: 'iban_shared',
      field: 'iban',
      message: `Esta cuenta bancaria es también la de otro proveedor (${known.shared_with}).`,
    },
  ]
}

const purchaseOf = (input: AssessInput): Purchase => ({
  vendorName: input.vendorName,
  vendorIsPerson: isPerson(input.vendorVat),
  lines: input.lines,
  totalCents: input.totalCents,
  irpfRate: input.irpfRate,
})

interface Read {
  purchase: Purchase
  found: Classification
  /** What the account taught for this vendor. */
  learned: string | null
}

async function account(model: AccountModel | null, input: AssessInput, { purchase, found, learned }: Read) {
  const situation = {
    ...purchase,
    taxCents: input.taxCents,
    vendorCountry: input.vendorCountry,
    learnedAccount: learned,
    ownInvoice: issuedByAccount(input),
  }
  const decided = accountingOf(situation, found)
  if (model === null || decided.confidence !== 'baja' || decided.method !== 'regla') return decided
  const code = await model(
    situation,
    decided.suggestions.map((suggestion) => suggestion.account_code),
  )
  return code === null ? decided : proposed(code, found)
}

const isPerson = (vat: string | null): boolean => {
  const kind = checkTaxId(vat ?? '').kind
  return kind === 'nif' || kind === 'nie'
}

const issuedByAccount = (input: AssessInput): boolean => {
  const vat = storedVat(input.vendorVat)
  return vat !== null && input.ownTaxIds.some((own) => storedVat(own) === vat)
}
