import { fail } from '@asiento/proto/errors'
import type { InvoiceDataInput } from '@asiento/proto/schemas/invoice-input'
import { fitsSchema } from '../../xsd/fits-schema.ts'
import { schemaErrorsOf } from '../../xsd/schemas.ts'
import type { Figures } from '../model/figures.ts'
import type { Invoice } from '../model/invoice.ts'
import { readTree } from '../parse/tree.ts'
import { checkDocument } from '../rules/portal-rules.ts'
import { facturaeStartTag, facturaeXml } from './facturae-xml.ts'
import type { ConversionWarning } from './input/notes.ts'
import { type InputOptions, invoiceFromInput } from './invoice-from-input.ts'

export interface BuildOptions extends InputOptions {
  /** The date in Madrid, `YYYY-MM-DD`. */
  today: string
}

export interface BuiltFacturae {
  /** Canonical XML without declaration. */
  xml: string
  invoice: Invoice
  figures: Figures
  warnings: ConversionWarning[]
}

/**
 * From what a caller sent to Facturae 3.2.2 that is valid by the official schema and adds up to the cent.
 *
 * Fails with INVALID_INPUT where the input lacks something, does not add up, or (with `strict`) breaks a rule of the
 * portal; with 422 for a tax rate that was not in force.
 */
export function buildFacturae(input: InvoiceDataInput, options: BuildOptions): BuiltFacturae {
  const { invoice, figures, warnings } = invoiceFromInput(input, options)
  const xml = facturaeXml(invoice, figures)
  return { xml, invoice, figures, warnings: [...warnings, ...checkBuilt(xml, options.today, input.strict === true)] }
}

/**
 * The last look at XML that leaves: schema and rules, on the very characters that were written.
 *
 * @returns the broken rules as warnings
 */
export function checkBuilt(xml: string, today: string, strict: boolean): ConversionWarning[] {
  const tree = readTree(xml)
  const [schemaError] = fitsSchema(xml, tree, facturaeStartTag, '3.2.2') ? [] : schemaErrorsOf(xml, '3.2.2')
  if (schemaError !== undefined) {
    fail('INVALID_INPUT', {
      detail: `Rule 1: ${schemaError.message} (${schemaError.path ?? 'Facturae'})`,
      internal: 'an invoice that the schema refuses was built',
    })
  }
  const findings = checkDocument(tree, { today, strict })
  const broken = findings.find((finding) => finding.severity === 'error' || (strict && finding.rule !== null))
  if (broken !== undefined) {
    fail('INVALID_INPUT', {
      detail: `${broken.rule === null ? '' : `Rule ${broken.rule}: `}${broken.message} (${broken.field} = '${broken.value}')`,
    })
  }
  return findings.map((finding) => ({
    code: finding.rule === null ? 'amounts_mismatch' : 'portal_rule',
    message: `${finding.rule === null ? '' : `Rule ${finding.rule}: `}${finding.message}`,
    field: finding.field,
    ...(finding.rule === null ? {} : { rule: finding.rule }),
  }))
}
