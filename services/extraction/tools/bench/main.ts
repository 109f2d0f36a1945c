import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { extractInvoice } from '../../src/pipeline/extract-invoice.ts'
import { baseline } from './baseline.ts'
import { drawBlindPart } from './blind-part.ts'
import type { Truth } from './compare.ts'
import { emptyTally, printTally, type Tally, tallyDocument } from './tally.ts'

/**
 * Measures extraction: `node tools/bench/main.ts [--blind N [--seed S]] [--only REGEX] [--limit N] [--failures] DIR…`.
 * Every folder holds documents and their truth as `NAME.json`; `--blind` draws so many of the generator's blind part, and
 * measures them after the folders, in a table of their own. The tables are per class (digital, scan, scanned-pdf) with 95 %
 * intervals and the baseline `pdftotext -layout` + regular expressions beside it.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    limit: { type: 'string', default: '100000' },
    failures: { type: 'boolean', default: false },
    blind: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
})
const blindCount = Number(values.blind)
if (positionals.length === 0 && blindCount === 0) {
  throw new Error('usage: main.ts [--blind N [--seed S]] [--only REGEX] [--limit N] [--failures] DIR…')
}

const only = new RegExp(values.only)
let left = Number(values.limit)
await measureAll('', positionals)
if (blindCount > 0) {
  const blind = await drawBlindPart({ count: blindCount, seed: values.seed })
  try {
    await measureAll('blind ', blind.folders)
  } finally {
    await blind.remove()
  }
}

async function measureAll(name: string, folders: readonly string[]): Promise<void> {
  const tallies = new Map<string, Tally>()
  for (const folder of folders) {
    for (const file of (await readdir(folder)).sort()) {
      if (!/\.(?:pdf|png|jpe?g|webp)$/.test(file) || !only.test(file)) continue
      if (left-- <= 0) break
      const base = file.replace(/\.[a-z]+$/, '')
      const truth: Truth = JSON.parse(await readFile(join(folder, `${base}.json`), 'utf8'))
      await measure(tallies, { file: join(folder, file), base, truth })
    }
  }
  for (const [kind, tally] of [...tallies].sort()) printTally(`${name}${kind}`, tally)
}

interface Labelled {
  file: string
  base: string
  truth: Truth
}

async function measure(tallies: Map<string, Tally>, { file, base, truth }: Labelled): Promise<void> {
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
