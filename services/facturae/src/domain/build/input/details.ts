import type { InvoiceDataInput } from '@asiento/proto/schemas/invoice-input'
import { attachmentFormats, correctionReasons } from '../../model/codes.ts'
import type { AdministrativeCentre, Attachment, Corrective, InvoiceClass, Party, Period } from '../../model/invoice.ts'
import { clip, clipOptional, maybe, type Notes, present, refuse, refuseField } from './notes.ts'
import { partyFrom } from './parties.ts'

/** Class of the document; a document that says it corrects another is one, with or without the details. */
export function invoiceClassOf(input: InvoiceDataInput): InvoiceClass {
  const corrects = input.corrective != null || input.document_type === 'corrective'
  if (input.invoice_class == null) return corrects ? 'OR' : 'OO'
  return input.corrective != null && input.invoice_class === 'OO' ? 'OR' : input.invoice_class
}

/**
 * What is corrected, and how. Missing: by differences where the total is negative, else as a whole; reason 10
 * ('Detalle Operación'); the month of the corrected invoice as tax period. A warning says what was assumed.
 */
export function correctiveFrom(input: InvoiceDataInput, issueDate: string, notes: Notes): Corrective {
  const given = input.corrective ?? {}
  const reasonCode = given.reason_code ?? '10'
  if (correctionReasons[reasonCode] === undefined) {
    refuseField(notes, ['corrective', 'reason_code'], 'Use one of 01–16 and 80–85')
  }
  const missing = (['number', 'reason_code', 'method'] as const).filter((key) => present(given[key]) === undefined)
  if (missing.length > 0) {
    notes.warn('corrective_incomplete', `corrective lacks ${missing.join(', ')}.`, `corrective.${missing[0]}`)
  }
  return {
    ...maybe('number', present(given.number)),
    ...maybe('series', present(given.series)),
    reasonCode,
    taxPeriod: given.tax_period ?? monthOf(given.date ?? input.operation_date ?? issueDate),
    method: given.method ?? ((input.total ?? 0) < 0 ? '02' : '01'),
    ...maybe('additionalReason', clipOptional(given.reason, 2500, 'corrective.reason', notes)),
    ...maybe('issueDate', given.date ?? undefined),
  }
}

function monthOf(date: string): Period {
  const [year = 0, month = 1] = date.split('-').map(Number)
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return { start: `${date.slice(0, 7)}-01`, end: `${date.slice(0, 7)}-${String(last).padStart(2, '0')}` }
}

const roleNames: Readonly<Record<string, string>> = {
  '01': 'Oficina contable',
  '02': 'Órgano gestor',
  '03': 'Unidad tramitadora',
  '04': 'Órgano proponente',
}

/** The buyer's DIR3 centres; where one has no address of its own it has the buyer's. */
export const centresFrom = (input: InvoiceDataInput, buyer: Party, notes: Notes): AdministrativeCentre[] =>
  (input.administrative_centres ?? []).map((centre, index) => ({
    code: centre.code.trim().toUpperCase(),
    role: centre.role,
    address:
      present(centre.address) === undefined
        ? buyer.address
        : partyFrom({ ...centre, vat: buyer.taxId, name: centre.code }, `administrative_centres[${index}]`, notes)
            .address,
    ...maybe('description', present(centre.name) ?? roleNames[centre.role]),
  }))

const formatOf: Readonly<Record<string, string>> = {
  jpeg: 'jpg',
  tif: 'tiff',
  htm: 'html',
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/tiff': 'tiff',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'text/html': 'html',
}

/** Attachments in base64. Fails with INVALID_INPUT for a format that Facturae does not know, or data that is no base64. */
export const attachmentsFrom = (input: InvoiceDataInput, notes: Notes): Attachment[] =>
  (input.attachments ?? []).map((attachment, index) => {
    const field = `attachments[${index}]`
    const named =
      present(attachment.format)?.toLowerCase() ?? present(attachment.filename)?.split('.').pop()?.toLowerCase()
    const format = formatOf[named ?? ''] ?? named ?? ''
    if (!attachmentFormats.has(format)) {
      refuse(`${field}.format is none that Facturae takes (${[...attachmentFormats].join(', ')}).`)
    }
    const data = attachment.data.replace(/^data:[^,]*;base64,/, '').replace(/\s+/g, '')
    if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) refuse(`${field}.data is no base64.`)
    return {
      compression: 'NONE',
      format,
      encoding: 'BASE64',
      ...maybe(
        'description',
        clipOptional(attachment.description ?? attachment.filename, 2500, `${field}.description`, notes),
      ),
      data,
    }
  })

/** The literals given and the reasons of exemption, each once. */
export function legalLiterals(input: InvoiceDataInput, exemptReasons: readonly string[], notes: Notes): string[] {
  const texts = [...(input.legal_literals ?? []), ...exemptReasons]
  return [
    ...new Set(texts.map((text) => clip(text.trim(), 250, 'legal_literals', notes)).filter((text) => text !== '')),
  ]
}
