import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { degrade } from './degrade.ts'
import { drawInvoice } from './draw.ts'
import { families } from './families.ts'
import type { Invoice } from './invoice.ts'
import { makeInvoice } from './make-invoice.ts'
import { errorKinds, plantError } from './plant-error.ts'
import { random } from './random.ts'
import { truth } from './truth.ts'

/**
 * Makes invoices with their ground truth: `node tools/generator/main.ts --out DIR --count N --seed S
 * --families dev|blind [--scan] [--errors]`. The same arguments give the same files.
 *
 * `--scan` makes images of one page instead of PDFs. `--errors` adds to every document a second one, `NAME_error`, in
 * which one printed figure is wrong; `_meta.planted` of its truth says which, the truth itself is what is printed.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    families: { type: 'string', default: 'dev' },
    scan: { type: 'boolean', default: false },
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
  // A scan is one image, hence one page.
  for (let again = 1; scan && invoice.lines.length > 14; again += 1) invoice = makeInvoice(random(`${key}/${again}`))
  await make(name, key, invoice, {})
  if (!values.errors) continue
  const kinds = source.shuffle(errorKinds)
  const planted = kinds.map((kind) => plantError(source, invoice, kind)).find((found) => found !== undefined)
  if (planted !== undefined) {
    await make(`${name}_error`, key, planted.invoice, {
      planted: { kind: planted.kind, delta_cents: planted.deltaCents, twin: name },
    })
  }
}

/** Draws with a source of its own, so that a document and its twin with an error look alike. */
async function make(name: string, key: string, invoice: Invoice, extra: Record<string, unknown>): Promise<void> {
  const source = random(`${key}/layout`)
  const family = source.pick(families[part === 'blind' ? 'blind' : 'dev'])
  const { bytes, hidden, pages } = await drawInvoice(source, invoice, family)
  const common = { layout: family.id, pages, language: invoice.language, ...extra }
  const folder = out ?? '.'
  if (scan) {
    const image = await degrade(source, bytes)
    await writeFile(join(folder, `${name}.${image.format}`), image.bytes)
    await writeTruth({ ...common, ...image.meta, file: `${name}.${image.format}` })
  } else {
    await writeFile(join(folder, `${name}.pdf`), bytes)
    await writeTruth({ ...common, class: 'digital', file: `${name}.pdf` })
  }
  async function writeTruth(meta: Record<string, unknown>): Promise<void> {
    await writeFile(join(folder, `${name}.json`), `${JSON.stringify(truth(invoice, hidden, meta), null, 1)}\n`)
  }
}
