import { fail } from '@asiento/proto/errors'
import { euros } from '@asiento/proto/money'
import type { InputOf, OperationInput } from '@asiento/proto/operation'
import type { Operations } from '@asiento/proto/operations'
import type { ConversionResult } from '@asiento/proto/schemas/facturae'
import { type InvoiceDataInput, invoiceDataInput } from '@asiento/proto/schemas/invoice-input'
import type { OpenedKey } from '../certificates/open-p12.ts'
import { checkMaySign } from '../certificates/preflight.ts'
import type { Built } from '../work/tasks.ts'
import type { Deps, Work } from './deps.ts'
import { makeFacturae } from './make-facturae.ts'
import { type CertificateSource, namesCertificate, signingKey, sourceOfHeaders } from './signing-key.ts'

type ConvertInput = InputOf<Operations['convert']>

/** Fields that a document must show so that a Facturae can be made of it. */
const requiredFields = [
  'vendor_name',
  'vendor_vat',
  'buyer_name',
  'buyer_vat',
  'invoice_number',
  'invoice_date',
  'total',
] as const

/**
 * `POST /convert`: JSON, or a document that extraction reads first (one credit). Signed when the call brings a
 * certificate, which is judged before anything is charged.
 */
export const convert =
  (deps: Deps) =>
  async (input: ConvertInput, work: Work): Promise<ConversionResult> => {
    const source = sourceOfHeaders(input.headers)
    const externalRef = input.headers['x-external-ref'] ?? null
    const key = namesCertificate(source) ? await checkedKey(deps, work, source) : null
    const read = await readInput(deps, input, work, externalRef)
    const made = await makeFacturae(deps, work, {
      source: 'convert',
      input: read.invoice,
      loc: ['body'],
      key,
      ext: input.query.ext,
      externalRef,
      logId: read.logId,
    })
    const { xml, signed, filename } = made
    const logId = made.kept?.logId ?? (read.confidence === null ? null : read.logId)
    return {
      xml,
      xml_base64: Buffer.from(xml, 'utf8').toString('base64'),
      signed,
      source: read.confidence === null ? 'json' : 'pdf',
      invoice: { ...summaryBody(made), accounting: await accountingOf(deps, read.invoice, work) },
      warnings: [...read.warnings, ...made.warnings],
      ...(read.confidence === null ? {} : { confidence: read.confidence }),
      filename,
      meta: { version: '3.2.2', standard: 'Facturae', signature: signed ? 'XAdES-BES' : null },
      ...(logId === null ? {} : { log_id: logId }),
    }
  }

const summaryBody = ({ summary }: Built) => ({
  vendor_name: summary.vendorName,
  vendor_vat: summary.vendorVat,
  invoice_number: summary.invoiceNumber,
  invoice_date: summary.invoiceDate,
  subtotal: euros(summary.subtotalCents),
  tax: euros(summary.taxCents),
  total: euros(summary.totalCents),
  iban: summary.iban,
})

/** A key that may sign now. */
async function checkedKey(deps: Deps, { actor }: Work, source: CertificateSource): Promise<OpenedKey> {
  const key = await signingKey(deps, actor, source)
  checkMaySign(key, { at: deps.clock.now() })
  return key
}

interface ReadInput {
  invoice: InvoiceDataInput
  /** Null in JSON mode. */
  confidence: number | null
  logId: number | null
  warnings: { code: string; message: string; field?: string }[]
}

async function readInput(
  deps: Deps,
  { body, files }: Pick<OperationInput<unknown, unknown, ConvertInput['body']>, 'body' | 'files'>,
  { context }: Work,
  externalRef: string | null,
): Promise<ReadInput> {
  const [upload] = files
  if (upload === undefined) {
    if (body === undefined)
      return fail('INVALID_INPUT', { detail: 'Send the invoice as JSON, or a document as the form field "file".' })
    return { invoice: body, confidence: null, logId: body._log_id ?? null, warnings: [] }
  }
  const result = await deps.rpc.extraction.extractForConvert(
    { upload, externalRef, required: [...requiredFields] },
    context,
  )
  const parsed = invoiceDataInput.safeParse(result)
  if (!parsed.success) {
    return fail('INVALID_INPUT', {
      detail: `The document does not make a Facturae: ${parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`,
    })
  }
  return {
    invoice: parsed.data,
    confidence: result.confidence_score,
    logId: result._log_id,
    warnings: result.warnings.map(({ code, message, field }) => ({
      code,
      message,
      ...(field === undefined ? {} : { field }),
    })),
  }
}

/** The account that the extraction found, else what a categorization says; null where that is not to be had. */
async function accountingOf(deps: Deps, invoice: InvoiceDataInput, { context }: Work) {
  if (invoice.accounting != null) return invoice.accounting
  try {
    const found = await deps.rpc.risk.categorize(
      {
        params: {},
        query: {},
        body: {
          vendor_name: invoice.vendor_name ?? undefined,
          vendor_vat: invoice.vendor_vat ?? undefined,
          line_items: (invoice.line_items ?? []).map(({ description }) => ({ description })),
          total: invoice.total ?? undefined,
        },
        files: [],
        headers: {},
      },
      context,
    )
    return { account_code: found.account_code, account_label: found.account_label }
  } catch (error) {
    deps.log.warn({ err: error }, 'no account for a converted invoice')
    return null
  }
}
