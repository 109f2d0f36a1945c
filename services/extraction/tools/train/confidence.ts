import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { strengthKey } from '../../src/domain/confidence.ts'
import { arrange } from '../../src/domain/layout.ts'
import type { Found } from '../../src/domain/parties.ts'
import { type Reading, readSheet } from '../../src/domain/understand.ts'
import { readDocument } from '../../src/pages/read-document.ts'
import { type HeaderField, isRight, type Truth } from '../bench/compare.ts'
import firstLook from './first-look.json' with { type: 'json' }

/**
 * Measures how often a value of each field, source and strength is right and writes `src/domain/data/confidence.json`:
 * `node tools/train/confidence.ts DIR…` with folders of documents and truth of the development families. Strengths seen
 * fewer than eight times are left out; the share is smoothed by one wrong in ten beforehand. Text and OCR are groups of
 * their own: the folders replace the groups that they hold documents of, the other one stays.
 *
 * Layouts that a reader was mended for tell little of others. `first-look.json` keeps [right, seen] of each strength of
 * text as 248 documents of 31 layouts were read before anything was mended for them (parties where their margin is not
 * low); these counts are added.
 */
const seenMin = 8
const target = new URL('../../src/domain/data/confidence.json', import.meta.url)
const known: { documents: { text: number; ocr: number }; accuracy: Record<string, number> } = JSON.parse(
  await readFile(target, 'utf8'),
)
const counts = new Map<string, [right: number, seen: number]>()
const documents = { text: 0, ocr: 0 }
for (const folder of process.argv.slice(2)) {
  for (const name of (await readdir(folder)).sort()) {
    if (!/\.(?:pdf|png|jpe?g|webp)$/.test(name) || /_error\./.test(name)) continue
    const truth: Truth = JSON.parse(await readFile(join(folder, name.replace(/\.[a-z]+$/, '.json')), 'utf8'))
    const document = await readDocument(await readFile(join(folder, name)), { filename: name })
    count(readSheet(arrange(document), { today: '2026-12-31' }), truth)
    documents[document.engine === 'text' ? 'text' : 'ocr'] += 1
  }
}
if (documents.text > 0) {
  for (const [key, [right = 0, seen = 0]] of Object.entries(firstLook.counts)) {
    const [rightNow, seenNow] = counts.get(key) ?? [0, 0]
    counts.set(key, [rightNow + right, seenNow + seen])
  }
}
const isReplaced = (key: string): boolean => documents[/ ocr /.test(key) ? 'ocr' : 'text'] > 0
const accuracy: Record<string, number> = Object.fromEntries(
  Object.entries(known.accuracy).filter(([key]) => !isReplaced(key)),
)
for (const [key, [right, seen]] of counts) {
  if (seen >= seenMin && isReplaced(key)) accuracy[key] = Math.round((1000 * (right + 0.9)) / (seen + 1)) / 1000
}
const table = {
  documents: { text: documents.text || known.documents.text, ocr: documents.ocr || known.documents.ocr },
  accuracy: Object.fromEntries(Object.entries(accuracy).sort(([a], [b]) => a.localeCompare(b))),
}
await writeFile(target, `${JSON.stringify(table, null, 2)}\n`)
process.stdout.write(`${JSON.stringify(documents)} documents, ${Object.keys(accuracy).length} strengths\n`)
process.exit(0)

function count(reading: Reading, truth: Truth): void {
  const { vendor, buyer } = reading.parties
  const found: [HeaderField, Found | null][] = [
    ['vendor_name', vendor.name],
    ['vendor_vat', vendor.taxId],
    ['vendor_address', vendor.street],
    ['vendor_city', vendor.city],
    ['buyer_name', buyer.name],
    ['buyer_vat', buyer.taxId],
    ['invoice_number', reading.number],
    ['invoice_date', reading.invoiceDate],
    ['due_date', reading.dueDate],
    ['iban', reading.iban],
    ['payment_method', reading.payment],
  ]
  for (const [field, value] of found) {
    if (value === null || truth[field] === undefined) continue
    const ocr = value.tokens.some((token) => token.ocr)
    const read = ocr ? Math.min(...value.tokens.map((token) => token.confidence)) : 1
    const key = strengthKey(field, value.score, ocr, read)
    const [right, seen] = counts.get(key) ?? [0, 0]
    counts.set(key, [right + Number(isRight(field, truth, { [field]: value.value })), seen + 1])
  }
}
