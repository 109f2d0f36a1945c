import { AppError, fail, ValidationFailure } from '@asiento/proto/errors'
import type { ConversionWarning, ValidationResult } from '@asiento/proto/schemas/facturae'
import { timestamp } from '@asiento/proto/time'
import { checkMaySign } from '../certificates/preflight.ts'
import { buildFacturae } from '../domain/build/build-facturae.ts'
import { xmlDeclaration } from '../domain/canonical/text.ts'
import { computeFigures, type Figures } from '../domain/model/figures.ts'
import { type Invoice, isLegalName, type Party } from '../domain/model/invoice.ts'
import { readDocument } from '../domain/parse/read-document.ts'
import { readInvoices } from '../domain/parse/read-facturae.ts'
import type { Finding } from '../domain/rules/finding.ts'
import { checkDocument } from '../domain/rules/portal-rules.ts'
import { signFacturae } from '../signing/sign.ts'
import { addTimestamp } from '../signing/timestamp.ts'
import { verifyFacturae } from '../signing/verify.ts'
import type { BuildTask, Built, Inspected, InvoiceSummary, SignWith } from './tasks.ts'

/** From input to XML, signed where a key is given; the certificate is judged before anything is built. */
export async function buildTask(build: BuildTask, sign: SignWith | null): Promise<Built> {
  const certificate = sign === null ? [] : certificateWarnings(sign, build.seller?.vat ?? build.input.vendor_vat)
  const built = buildOrFail(build)
  const warnings = [...built.warnings, ...certificate]
  const summary = summaryOf(built.invoice, built.figures)
  if (sign === null) return { xml: xmlDeclaration + built.xml, signed: false, summary, warnings }
  const role = roleOf(built.invoice)
  const { xml } = await signOrFail(built.xml, sign, { role, known: 'canonical' })
  return { xml, signed: true, summary, warnings }
}

function buildOrFail({ input, seller, buyer, loc, today }: BuildTask) {
  try {
    return buildFacturae(input, { seller, buyer, loc, today })
  } catch (error) {
    if (error instanceof RangeError) {
      return fail('INVALID_INPUT', { detail: 'An amount is larger than can be computed exactly.', cause: error })
    }
    if (error instanceof AppError || error instanceof ValidationFailure) throw error
    return fail('XML_BUILD_FAILED', { cause: error, internal: String(error) })
  }
}

/**
 * Looks at a document that is to be signed, before anything is charged. Fails INVALID_INPUT where it is signed already or
 * its schema refuses it, XML_SIGN_FAILED where the certificate may not sign; wrong sums are warnings.
 */
export function inspectTask(bytes: Uint8Array, today: string, sign: SignWith): Inspected {
  const document = readDocument(bytes)
  if (document.signatures > 0) fail('INVALID_INPUT', { detail: 'The invoice is signed already.' })
  const [first] = document.schemaErrors
  if (first !== undefined) {
    const others = document.schemaErrors.length - 1
    fail('INVALID_INPUT', {
      detail: `The XML is not valid by the schema of Facturae ${document.version}: ${first.message}${others > 0 ? ` (and ${others} more)` : ''}`,
    })
  }
  const invoices = readInvoices(document.root)
  const [invoice] = invoices
  if (invoice === undefined) return fail('INVALID_INPUT', { detail: 'The XML holds no invoice.' })
  const summary = summaryOf(invoice, computeFigures(invoice))
  const findings = checkDocument(document.root, { today, strict: false }).map(warningOf)
  const certificate = certificateWarnings(sign, invoice.seller.taxId)
  return { summary, role: roleOf(invoice), warnings: [...findings, ...certificate] }
}

export const signTask = (bytes: Uint8Array, sign: SignWith, role: string): Promise<{ xml: string }> =>
  signOrFail(bytes, sign, { role })

const certificateWarnings = ({ key, signedAt }: SignWith, sellerTaxId: string | null | undefined) =>
  checkMaySign(key, { at: signedAt, ...(sellerTaxId == null ? {} : { sellerTaxId }) })

/** Signs, and has the signature time-stamped where an authority is configured. */
async function signOrFail(
  xml: string | Uint8Array,
  { key, signedAt, timestampUrl }: SignWith,
  options: { role: string; known?: 'canonical' },
): Promise<{ xml: string }> {
  try {
    const signed = signFacturae(xml, key, { ...options, signedAt })
    return { xml: timestampUrl === null ? signed.xml : (await addTimestamp(signed.xml, { url: timestampUrl })).xml }
  } catch (error) {
    if (error instanceof AppError) throw error
    return fail('XML_SIGN_FAILED', { cause: error, internal: String(error) })
  }
}

/** Schema, sums, portal rules and signature of anyone's Facturae. */
export async function validateTask(bytes: Uint8Array, today: string): Promise<ValidationResult> {
  const document = readDocument(bytes)
  const findings = checkDocument(document.root, { today, strict: false })
  const signature = document.signatures === 0 ? null : await verifyFacturae(bytes)
  const errors = findings.filter((finding) => finding.severity === 'error')
  return {
    valid: document.schemaErrors.length === 0 && errors.length === 0 && (signature === null || signature.valid),
    version: document.version,
    schema_errors: document.schemaErrors,
    arithmetic_errors: errors.map(findingBody),
    warnings: findings.filter((finding) => finding.severity === 'warning').map(findingBody),
    signature: signature === null ? null : { ...signature, signed_at: plainTimestamp(signature.signed_at) },
  }
}

/** As the API prints instants; what is no instant stays as the signature says it. */
const plainTimestamp = (text: string | null): string | null => {
  const instant = new Date(text ?? '')
  return Number.isNaN(instant.getTime()) ? text : timestamp(instant)
}

const findingBody = ({ rule, field, value, message }: Finding) => ({ rule, field, value, message })

const warningOf = (finding: Finding): ConversionWarning => ({
  code: finding.rule === null || finding.severity === 'error' ? 'amounts_mismatch' : 'portal_rule',
  message: finding.message,
  field: finding.field,
  ...(finding.rule === null ? {} : { rule: finding.rule }),
})

const roleOf = ({ issuerType }: Pick<Invoice, 'issuerType'>): string =>
  issuerType === 'TE' ? 'tercero' : issuerType === 'RE' ? 'receptor' : 'emisor'

function summaryOf(invoice: Invoice, figures: Figures): InvoiceSummary {
  return {
    vendorName: nameOf(invoice.seller),
    vendorVat: invoice.seller.taxId,
    invoiceNumber: invoice.number,
    invoiceDate: invoice.issueDate.slice(0, 10),
    subtotalCents: figures.beforeTaxesCents,
    taxCents: figures.taxOutputsCents,
    totalCents: figures.totalCents,
    iban: invoice.installments.map((row) => row.credited?.iban ?? row.debited?.iban).find(Boolean) ?? null,
  }
}

const nameOf = ({ name }: Party): string =>
  isLegalName(name)
    ? name.corporateName
    : [name.name, name.firstSurname, name.secondSurname].filter((part) => part !== undefined).join(' ')
