import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { scanImage, scanPdf } from './degrade.ts'
import { drawInvoice } from './draw.ts'
import { families } from './families.ts'
import type { Invoice } from './invoice.ts'
import { makeInvoice } from './make-invoice.ts'
import { errorKinds, plantError } from './plant-error.ts'
import { random } from './random.ts'
import { truth } from './truth.ts'

/**
 * Makes invoices with their ground truth: `node tools/generator/main.ts --out DIR --count N --seed S
 * --families dev|blind [--scan | --scan-pdf] [--errors]`. The same arguments give the same files.
 *
 * `--scan` makes images of one page instead of PDFs, `--scan-pdf` PDFs that hold only pictures of their pages. `--errors` adds to every document a second one, `NAME_error`, in
 * which one printed figure is wrong; `_meta.planted` of its truth says which, the truth itself is what is printed.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    families: { type: 'string', default: 'dev' },
    scan: { type: 'boolean', default: false },
    'scan-pdf': { type: 'boolean', default: false },
    errors: { type: 'boolean', default: false },
  },
})
const { out, seed, scan } = values
const part = values.families
if (out === undefined || (part !== 'dev' && part !== 'blind'))
  throw new Error('usage: main.ts --out DIR --families dev|blind')

await mkdir(out, { recursive: true })
for (let index = 0; index < Number(values.count); index += 1) {
  const key = `${seed}/${part}/${index}`
  const name = `${part}_${seed}_${String(index).padStart(4, '0')}`
  const source = random(key)
  let invoice = makeInvoice(source)
  for (let again = 1; !(await make(name, key, invoice, {})); again += 1)
    invoice = makeInvoice(random(`${key}/${again}`))
  if (!values.errors) continue
  const kinds = source.shuffle(errorKinds)
  const planted = kinds.map((kind) => plantError(source, invoice, kind)).find((found) => found !== undefined)
  if (planted !== undefined) {
    await make(`${name}_error`, key, planted.invoice, {
      planted: { kind: planted.kind, delta_cents: planted.deltaCents, twin: name },
    })
  }
}

/**
 * Draws with a source of its own, so that a document and its twin with an error look alike. False, and nothing made, for
 * an image of an invoice that needs several pages.
 */
async function make(name: string, key: string, invoice: Invoice, extra: Record<string, unknown>): Promise<boolean> {
  const source = random(`${key}/layout`)
  const family = source.pick(families[part === 'blind' ? 'blind' : 'dev'])
  const { bytes, hidden, pages } = await drawInvoice(source, invoice, family)
  if (scan && pages > 1) return false
  const common = { layout: family.id, pages, language: invoice.language, ...extra }
  const folder = out ?? '.'
  const made = scan
    ? await scanImage(source, bytes)
    : values['scan-pdf']
      ? await scanPdf(source, bytes, pages)
      : { bytes, format: 'pdf', meta: { class: 'digital' } }
  const file = `${name}.${made.format}`
  await writeFile(join(folder, file), made.bytes)
  const meta = { ...common, ...made.meta, file }
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(truth(invoice, hidden, meta), null, 1)}\n`)
  return true
}
