import type { Extraction, ExtractionWarning } from '@asiento/proto/schemas/extraction-result'
import { checkLine } from './check-lines.ts'
import type { Document } from './page.ts'
import type { Reading, UnderstandContext } from './reading.ts'

/** Fields that every invoice has (decisions, section 2). */
export const mandatory = [
  'vendor_name',
  'vendor_vat',
  'invoice_number',
  'invoice_date',
  'subtotal',
  'tax',
  'total',
] as const

/** What a reader should look at: missing and invalid values, sums that do not hold, bad pictures. */
export function warningsOf(
  document: Document,
  reading: Reading,
  fields: Pick<Extraction, (typeof mandatory)[number] | 'document_type' | 'iban'>,
  context: UnderstandContext,
): ExtractionWarning[] {
  const warnings: ExtractionWarning[] = []
  const { parties } = reading
  const present = mandatory.filter((field) => fields[field] !== null)
  // a contract has parties and a date, and nothing that only an invoice has
  const nothingOwed = reading.amounts.total === null && reading.amounts.subtotal === null && reading.number === null
  const noInvoice = nothingOwed || (reading.amounts.total === null && present.length <= 2)
  if (noInvoice)
    warnings.push({ code: 'no_invoice_found', message: 'No se ha encontrado ninguna factura en el documento.' })
  else if (!['invoice', 'simplified', 'corrective'].includes(fields.document_type)) {
    warnings.push({ code: 'not_an_invoice', message: `El documento no es una factura (${fields.document_type}).` })
  }
  for (const mismatch of reading.amounts.mismatches) {
    warnings.push({
      code: 'amounts_mismatch',
      message: mismatch.message,
      field: mismatch.field,
      residue_cents: mismatch.residueCents,
    })
  }
  warnings.push(...lineWarnings(reading))
  if (!noInvoice) {
    for (const field of mandatory)
      if (fields[field] === null)
        warnings.push({ code: 'missing_field', message: `No se ha encontrado el campo ${field}.`, field })
  }
  if (parties.vendor.taxId === null && parties.vendor.invalidTaxId !== null)
    warnings.push({
      code: 'tax_id_invalid',
      message: `El NIF ${parties.vendor.invalidTaxId.value} no es válido.`,
      field: 'vendor_vat',
    })
  if (parties.buyer.taxId === null && parties.buyer.invalidTaxId !== null)
    warnings.push({
      code: 'tax_id_invalid',
      message: `El NIF ${parties.buyer.invalidTaxId.value} no es válido.`,
      field: 'buyer_vat',
    })
  if (reading.invalidIban !== null)
    warnings.push({
      code: 'iban_invalid',
      message: `El IBAN ${reading.invalidIban.value} no es válido.`,
      field: 'iban',
    })
  const date = reading.invoiceDate?.value
  if (date !== undefined && (date > yearLater(context.today) || date < '2000-01-01'))
    warnings.push({ code: 'date_implausible', message: `La fecha ${date} no es verosímil.`, field: 'invoice_date' })
  if (date !== undefined && reading.dueDate !== null && reading.dueDate.value < date)
    warnings.push({
      code: 'date_implausible',
      message: 'El vencimiento es anterior a la fecha de la factura.',
      field: 'due_date',
    })
  for (const page of document.pages) {
    if (page.quality?.low === true)
      warnings.push({
        code: 'low_quality_image',
        message: 'La imagen es de baja calidad; conviene revisar los importes.',
        page: page.index + 1,
      })
  }
  for (const warning of document.warnings) {
    if (warning.code === 'pages_left_out') warnings.push({ code: 'pages_left_out', message: warning.message })
    else if (warning.code === 'low_quality_image' && !warnings.some((known) => known.code === 'low_quality_image')) {
      warnings.push({
        code: 'low_quality_image',
        message: warning.message,
        ...(warning.page === undefined ? {} : { page: warning.page + 1 }),
      })
    }
  }
  return warnings
}

const yearLater = (today: string): string => `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`

/** A line whose product does not hold is reported when rounding of its price cannot explain it, or the sums agree. */
function lineWarnings(reading: Reading): ExtractionWarning[] {
  const checks = reading.lines.map(checkLine)
  const told = checks.filter((check) => check.holds !== null)
  const broken = checks.flatMap((check, index) => (check.holds === false ? [{ check, index }] : []))
  // when most products fail, the columns are not what they seem
  if (broken.length === 0 || broken.length > Math.max(1, told.length * 0.34)) return []
  const sumBroken = reading.amounts.mismatches.find((mismatch) => mismatch.field === 'line_items')
  return broken
    .filter(
      ({ check }) => Math.abs(check.residueCents) > check.slackCents || sumBroken?.residueCents === check.residueCents,
    )
    .map(({ check, index }) => ({
      code: 'amounts_mismatch' as const,
      message: `La línea ${index + 1} no es cantidad por precio.`,
      field: `line_items[${index}].total`,
      residue_cents: check.residueCents,
    }))
}
