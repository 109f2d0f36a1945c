import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createWorkerPool } from '@asiento/chassis/workers'
import { PDFDocument } from 'pdf-lib'
import sharp from 'sharp'
import type { PipelineTask } from '../src/pipeline/worker.ts'
import type { Heavy } from './bench-reading.ts'
import { drawInvoice } from './generator/draw.ts'
import { families } from './generator/families.ts'
import { makeInvoice } from './generator/make-invoice.ts'
import { random } from './generator/random.ts'

/**
 * Prints the megabytes that a process with one reading thread holds at most while it reads a heavy document:
 * `node tools/measure-memory.ts 'one page' | '300 pages' | 'photo of 20 MB'`. The document is made by another process.
 */
const [document, file] = process.argv.slice(2) as [Heavy, string | undefined]
const photoBytesMax = 20 * 1024 ** 2

if (file === undefined) await measure()
else
  await writeFile(file, document === 'photo of 20 MB' ? await photo() : await pdf(document === '300 pages' ? 300 : 1))
process.exit(0)

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'asiento-memory-'))
  try {
    const made = join(folder, document === 'photo of 20 MB' ? 'made.jpg' : 'made.pdf')
    await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), document, made])
    const bytes = new Uint8Array(await readFile(made))
    const pool = createWorkerPool<PipelineTask, unknown>({
      module: new URL('../src/pipeline/worker.ts', import.meta.url),
      threadsMax: 1,
      timeoutMs: 120_000,
      heapMb: 1_024,
    })
    await pool.run({ kind: 'read', bytes, filename: made, context: { today: '2026-12-31' }, doubtBelow: 0 })
    process.stdout.write(`${Math.round(process.resourceUsage().maxRSS / 1024)}\n`)
    await pool.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function pdf(pages: number): Promise<Uint8Array> {
  const { bytes } = await drawInvoice(
    random('memory/layout'),
    makeInvoice(random('memory')),
    random('memory').pick(families.dev),
  )
  const [made, source] = [await PDFDocument.create(), await PDFDocument.load(bytes)]
  for (let page = 0; page < pages; page += 1) made.addPage((await made.copyPages(source, [0]))[0])
  return made.save()
}

/** The sample photo, enlarged and with the noise of a large sensor, as large as an upload may be. */
async function photo(): Promise<Uint8Array> {
  const source = await readFile(new URL('../../../samples/foto-movil.jpg', import.meta.url))
  const [width, height] = [6_000, 8_000]
  const noise = {
    width,
    height,
    channels: 3 as const,
    background: '#808080',
    noise: { type: 'gaussian' as const, mean: 128, sigma: 12 },
  }
  const grain = await sharp({ create: noise }).png({ compressionLevel: 1 }).toBuffer()
  const large = sharp(await sharp(source).resize(width, height, { fit: 'fill' }).toBuffer()).composite([
    { input: grain, blend: 'soft-light' },
  ])
  for (let quality = 95; ; quality -= 3) {
    const bytes = await large.clone().jpeg({ quality }).toBuffer()
    if (bytes.byteLength <= photoBytesMax) return bytes
  }
}
