import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { extractInvoice } from '../../src/pipeline/extract-invoice.ts'
import { baseline } from './baseline.ts'
import type { Truth } from './compare.ts'
import { emptyTally, printTally, type Tally, tallyDocument } from './tally.ts'

/**
 * Measures extraction: `node tools/bench/main.ts [--only REGEX] [--limit N] [--failures] DIR…`. Every folder holds
 * documents and their truth as `NAME.json`; the table is per class (digital, scan, scanned-pdf) with 95 % intervals and
 * the baseline `pdftotext -layout` + regular expressions beside it.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    limit: { type: 'string', default: '100000' },
    failures: { type: 'boolean', default: false },
  },
})
if (positionals.length === 0) throw new Error('usage: main.ts [--only REGEX] [--limit N] [--failures] DIR…')

const only = new RegExp(values.only)
const tallies = new Map<string, Tally>()
let left = Number(values.limit)
for (const folder of positionals) {
  for (const name of (await readdir(folder)).sort()) {
    if (!/\.(?:pdf|png|jpe?g|webp)$/.test(name) || !only.test(name)) continue
    if (left-- <= 0) break
    const base = name.replace(/\.[a-z]+$/, '')
    const truth: Truth = JSON.parse(await readFile(join(folder, `${base}.json`), 'utf8'))
    await measure(join(folder, name), base, truth)
  }
}
for (const [name, tally] of [...tallies].sort()) printTally(name, tally)

async function measure(file: string, base: string, truth: Truth): Promise<void> {
  const kind = truth._meta.class ?? (/\.pdf$/.test(file) ? 'digital' : 'scan')
  const tally = tallies.get(kind) ?? emptyTally()
  tallies.set(kind, tally)
  const started = performance.now()
  const { extraction } = await extractInvoice(await readFile(file), {
    filename: file,
    context: { today: '2026-12-31' },
  })
  const failures = tallyDocument(tally, { truth, prediction: extraction, ms: performance.now() - started })
  if (kind === 'digital' && truth._meta.planted === undefined) {
    const plain = await baseline(file)
    if (plain !== null) tallyDocument(tally.baseline, { truth, prediction: plain, ms: 0 })
  }
  if (values.failures) for (const failure of failures) process.stdout.write(`${base}  ${failure}\n`)
}
process.exit(0)
