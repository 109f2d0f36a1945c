import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { classify } from '../src/domain/pgc/classify.ts'

/** Compares the classifier with the `pgc_hint` of labelled invoices in a folder; prints what differs and the share. */
const folder = new URL(`file://${process.argv[2] ?? new URL('../../../../shared/invoices', import.meta.url).pathname}/`)
if (!existsSync(folder)) throw new Error(`no such folder: ${folder.pathname}`)

let right = 0
let count = 0
for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
  const truth = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
  const lines = truth.line_items.map((line: { description: string; total: number | null }) => ({
    description: line.description,
    totalCents: line.total === null ? null : Math.round(line.total * 100),
  }))
  const totalCents = truth.total === null ? null : Math.round(truth.total * 100)
  const answer = classify({ vendorName: truth.vendor_name, lines, totalCents, irpfRate: truth.irpf_rate })
  count += 1
  if (answer.account === truth.pgc_hint) right += 1
  else {
    const said = lines.map((line: { description: string }) => line.description).join('; ')
    process.stdout.write(`${truth.pgc_hint} ≠ ${answer.account} ${answer.confidence} ${truth.vendor_name} | ${said}\n`)
  }
}
process.stdout.write(`${right} of ${count}: ${(right / count).toFixed(3)}\n`)
