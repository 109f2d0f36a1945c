import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PDFDocument } from 'pdf-lib'
import { type Scan, scanImage, scanPdf } from '../generator/degrade.ts'
import { random } from '../generator/random.ts'
import { chanceOf } from './chance.ts'
import { makeDoc, truthOf } from './document.ts'
import type { Layout } from './layout.ts'
import { noInvoices } from './not-invoices.ts'
import { billsOpen } from './open/bills.ts'
import { formsOpen } from './open/forms.ts'
import { languagesOpen } from './open/languages.ts'
import { largeFirmsOpen } from './open/large-firms.ts'
import { programsOpen } from './open/programs.ts'
import { servicesSoldOpen } from './open/services-sold.ts'
import { smallFirmsOpen } from './open/small-firms.ts'
import { tradesOpen } from './open/trades.ts'
import { errorKinds, plantError } from './plant-error.ts'
import { openPrinter } from './print-pdf.ts'
import { consumerSealed } from './sealed/consumer.ts'
import { erpSealed } from './sealed/erp.ts'
import { servicesSealed } from './sealed/services.ts'
import { contractsSealed2 } from './sealed2/contracts.ts'
import { craftSealed2 } from './sealed2/craft.ts'
import { supplySealed2 } from './sealed2/supply.ts'
import { professionsSealed3 } from './sealed3/professions.ts'
import { programsSealed3 } from './sealed3/programs.ts'
import { regimesSealed3 } from './sealed3/regimes.ts'
import { retailSealed3 } from './sealed3/retail.ts'
import { servicesSealed3 } from './sealed3/services.ts'
import { supplySealed3 } from './sealed3/supply.ts'
import { layoutsSealed4 } from './sealed4/layouts.ts'

const usage =
  'main.ts --out DIR --part open|sealed|sealed2|sealed3|sealed4|none [--each N] [--seed S] [--only ID] [--errors] [--scan | --scan-pdf]'
/**
 * Prints documents with their truth, see `usage`. `sealed` and `sealed2` to `sealed4` are for measurements only (who wrote
 * the numbered ones had not read the reader; `sealed4` are drawn as other producers than a browser write PDF); `none` are
 * documents that are no invoice. `--scan` makes pictures as the scanners, faxes and telephones of the generator see them
 * and leaves out documents of several pages; `--scan-pdf` makes PDFs that hold only pictures of their pages. The same
 * arguments give the same documents.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    part: { type: 'string', default: 'open' },
    each: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    errors: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    scan: { type: 'boolean', default: false },
    'scan-pdf': { type: 'boolean', default: false },
  },
})
const out = values.out
if (out === undefined) throw new Error(`usage: ${usage}`)
await mkdir(out, { recursive: true })
const printer = await openPrinter()
const save = async (name: string, print: string | Promise<Uint8Array>, truth: { _meta: object }): Promise<void> => {
  const made = await seen(name, typeof print === 'string' ? await printer.pdf(print) : await print)
  if (made === null) return
  await writeFile(join(out, `${name}.${made.format}`), made.bytes)
  const meta = { ...truth._meta, ...made.meta, file: `${name}.${made.format}` }
  await writeFile(join(out, `${name}.json`), JSON.stringify({ ...truth, _meta: meta }, null, 1))
}
const sets: Record<string, readonly Layout[]> = {
  open: [
    ...programsOpen,
    ...tradesOpen,
    ...smallFirmsOpen,
    ...largeFirmsOpen,
    ...servicesSoldOpen,
    ...languagesOpen,
    ...formsOpen,
    ...billsOpen,
  ],
  sealed: [...erpSealed, ...servicesSealed, ...consumerSealed],
  sealed2: [...craftSealed2, ...supplySealed2, ...contractsSealed2],
  sealed3: [
    ...supplySealed3,
    ...retailSealed3,
    ...servicesSealed3,
    ...professionsSealed3,
    ...regimesSealed3,
    ...programsSealed3,
  ],
  sealed4: layoutsSealed4,
  none: [],
}
const layouts = sets[values.part]
if (layouts === undefined) throw new Error(`no set ${values.part}`)
for (const layout of layouts.filter(({ id }) => id.includes(values.only))) {
  for (let index = 0; index < Number(values.each); index += 1) {
    const seed = `${values.seed} ${layout.id} ${index}`
    const chance = chanceOf(seed)
    const doc = makeDoc(chance, layout.wish(chance))
    layout.own?.(doc, chanceOf(`${seed} own`))
    const name = `${layout.id}-${String(index).padStart(3, '0')}`
    const truth = truthFor(layout, doc)
    if (!values.errors) {
      await save(name, layout.render(doc, chanceOf(`${seed} look`)), truth)
      continue
    }
    for (const kind of errorKinds) {
      if (kind === 'rate' && layout.hidesInLines === undefined && doc.rates.length > 1) continue
      const wrong = plantError(doc, kind, chanceOf(`${seed} ${kind}`))
      if (wrong === null) continue
      await save(`${name}-${kind}`, layout.render(wrong, chanceOf(`${seed} look`)), {
        ...truth,
        _meta: { ...truth._meta, planted: { kind, twin: name } },
      })
    }
    await save(name, layout.render(doc, chanceOf(`${seed} look`)), truth)
  }
}
if (values.part === 'none') {
  for (const { id, render } of noInvoices) {
    for (let index = 0; index < Number(values.each); index += 1) {
      await save(`${id}-${index}`, render(chanceOf(`${values.seed} ${id} ${index}`)), {
        _meta: { class: 'digital', layout: id },
      })
    }
  }
}
await printer.close()

/** The print itself, or what a machine makes of it; null for a picture of several pages. */
async function seen(
  name: string,
  pdf: Uint8Array,
): Promise<(Pick<Scan, 'bytes' | 'meta'> & { format: string }) | null> {
  if (!values.scan && !values['scan-pdf']) return { bytes: pdf, format: 'pdf', meta: {} }
  const pages = (await PDFDocument.load(pdf)).getPageCount()
  // A twin with an error lies on the glass as its document does.
  const source = random(`${values.seed} ${name.replace(/(-\d{3})-[a-z]+$/, '$1')} scan`)
  if (values['scan-pdf']) return scanPdf(source, pdf, pages)
  return pages > 1 ? null : scanImage(source, pdf)
}

function truthFor(layout: Layout, doc: Parameters<typeof truthOf>[0]): ReturnType<typeof truthOf> & { _meta: object } {
  const hidden = new Set<string>(layout.hidesInLines)
  const truth = truthOf(doc, layout.id, {
    lineRates: !hidden.has('tax_rate'),
    quantities: !hidden.has('quantity'),
    prices: !hidden.has('unit_price'),
  })
  for (const field of layout.hides ?? []) truth[field] = null
  for (const field of layout.unasked ?? []) delete truth[field]
  return truth as ReturnType<typeof truthOf> & { _meta: object }
}
