import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chanceOf } from './chance.ts'
import { makeDoc, truthOf } from './document.ts'
import type { Layout } from './layout.ts'
import { noInvoices } from './not-invoices.ts'
import { programsOpen } from './open/programs.ts'
import { tradesOpen } from './open/trades.ts'
import { errorKinds, plantError } from './plant-error.ts'
import { openPrinter } from './print-pdf.ts'
import { consumerSealed } from './sealed/consumer.ts'
import { erpSealed } from './sealed/erp.ts'
import { servicesSealed } from './sealed/services.ts'
import { contractsSealed2 } from './sealed2/contracts.ts'
import { craftSealed2 } from './sealed2/craft.ts'
import { supplySealed2 } from './sealed2/supply.ts'

/**
 * Prints documents with their truth: `main.ts --out DIR --part open|sealed|sealed2|none [--each N] [--seed S] [--errors]`.
 * `sealed` and `sealed2` layouts are for the last measurement only (who wrote `sealed2` had not read the reader); `none` are documents that are no invoice.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    part: { type: 'string', default: 'open' },
    each: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    errors: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})
const out = values.out
if (out === undefined)
  throw new Error('usage: main.ts --out DIR --part open|sealed|sealed2|none [--each N] [--seed S] [--errors]')
await mkdir(out, { recursive: true })
const printer = await openPrinter()
const save = async (name: string, html: string, truth: object): Promise<void> => {
  await writeFile(join(out, `${name}.pdf`), await printer.pdf(html))
  await writeFile(join(out, `${name}.json`), JSON.stringify(truth, null, 1))
}
const sets: Record<string, readonly Layout[]> = {
  open: [...programsOpen, ...tradesOpen],
  sealed: [...erpSealed, ...servicesSealed, ...consumerSealed],
  sealed2: [...craftSealed2, ...supplySealed2, ...contractsSealed2],
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

function truthFor(layout: Layout, doc: Parameters<typeof truthOf>[0]): ReturnType<typeof truthOf> & { _meta: object } {
  const hidden = new Set<string>(layout.hidesInLines)
  const truth = truthOf(doc, layout.id, {
    lineRates: !hidden.has('tax_rate'),
    quantities: !hidden.has('quantity'),
    prices: !hidden.has('unit_price'),
  })
  for (const field of layout.hides ?? []) truth[field] = null
  return truth as ReturnType<typeof truthOf> & { _meta: object }
}
