import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withPdf } from '../../src/pages/pdf-file.ts'
import { scanImage, scanPdf } from './degrade.ts'
import { random } from './random.ts'

/**
 * Scans the PDFs of one folder into another, with their truth: `scan-folder.ts --from DIR --to DIR [--seed S]`. Pages of
 * one-page documents become images; documents of several pages become PDFs of pictures. Same arguments, same files.
 */
const { values } = parseArgs({
  options: { from: { type: 'string' }, to: { type: 'string' }, seed: { type: 'string', default: '1' } },
})
const { from, to, seed } = values
if (from === undefined || to === undefined) throw new Error('usage: scan-folder.ts --from DIR --to DIR [--seed S]')
await mkdir(to, { recursive: true })
for (const name of (await readdir(from)).filter((file) => file.endsWith('.pdf')).sort()) {
  const base = name.slice(0, -'.pdf'.length)
  const truth = JSON.parse(await readFile(join(from, `${base}.json`), 'utf8'))
  const pdf = await readFile(join(from, name))
  const pages = await withPdf(pdf, async (file) => file.pageCount)
  // A document and its twin with an error are scanned alike.
  const source = random(`${seed}/${truth._meta.planted?.twin ?? base}`)
  const scan = pages === 1 ? await scanImage(source, pdf) : await scanPdf(source, pdf, pages)
  await writeFile(join(to, `${base}.${scan.format}`), scan.bytes)
  const meta = { ...truth._meta, ...scan.meta }
  await writeFile(join(to, `${base}.json`), `${JSON.stringify({ ...truth, _meta: meta }, null, 1)}\n`)
}
