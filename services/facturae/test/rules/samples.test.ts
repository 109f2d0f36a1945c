import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../src/domain/parse/read-document.ts'
import { checkDocument } from '../../src/domain/rules/portal-rules.ts'
import { today } from '../support/invoices.ts'

const folder = new URL('../../../../../shared/facturae/samples/', import.meta.url)
const present = existsSync(folder)

/** File, version, signatures, and the fields whose sums are wrong. */
const samples: [string, string, number, string[]][] = [
  ['own-full-signed.xsig', '3.2.2', 1, []],
  ['own-full-unsigned.xml', '3.2.2', 0, []],
  ['own-corrective-signed.xsig', '3.2.2', 1, []],
  ['own-corrective-unsigned.xml', '3.2.2', 0, []],
  ['face-factura-prueba-v1-2-0.xsig', '3.2.1', 1, ['TotalTaxOutputs']],
  ['dfb-factura-ejemplo.xml', '3.2', 0, []],
  ['gobl-invoice-face-brokensig.xml', '3.2.2', 1, []],
  ['gobl-credit-note-brokensig.xml', '3.2.2', 1, []],
  ['gobl-invoice-overseas-individual-brokensig.xml', '3.2.2', 1, []],
  ['gobl-invoice-vat-brokensig.xml', '3.2.2', 1, []],
]

describe.skipIf(!present)(
  `the ${samples.length + 1} samples of others (skipped where the shared folder is absent)`,
  () => {
    it.each(samples)(
      '%s is Facturae %s with %i signatures and its sums are judged',
      (name, version, signatures, wrong) => {
        const document = readDocument(readFileSync(new URL(name, folder)))
        expect(document.schemaErrors).toEqual([])
        expect([document.version, document.signatures]).toEqual([version, signatures])
        const errors = checkDocument(document.root, { today, strict: false }).filter(
          (finding) => finding.severity === 'error',
        )
        expect(errors.map((finding) => finding.field.split('/').at(-1))).toEqual(wrong)
      },
    )

    it('an InvoiceTotal with the IRPF left in breaks rule 6f', () => {
      const document = readDocument(readFileSync(new URL('gobl-invoice-vat-irpf-brokensig-wrongtotal.xml', folder)))
      expect(checkDocument(document.root, { today, strict: false })[0]).toMatchObject({ rule: '6f', value: '5080.92' })
    })
  },
)
