import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createWorkerPool } from '@asiento/chassis/workers'
import sharp from 'sharp'
import { createWorker } from 'tesseract.js'
import { isDoubtful } from '../src/domain/second-reading.ts'
import { understand } from '../src/domain/understand.ts'
import { openDocument } from '../src/pages/open-document.ts'
import { extractInvoice } from '../src/pipeline/extract-invoice.ts'
import type { PipelineTask } from '../src/pipeline/worker.ts'
import { scanImage } from './generator/degrade.ts'
import { drawInvoice } from './generator/draw.ts'
import { families } from './generator/families.ts'
import { makeInvoice } from './generator/make-invoice.ts'
import { random } from './generator/random.ts'

const context = { today: '2026-12-31' }
const run = promisify(execFile)
const require = createRequire(import.meta.url)

async function draw(name: string): Promise<{ bytes: Uint8Array; pages: number }> {
  const invoice = makeInvoice(random(name))
  return drawInvoice(random(`${name}/layout`), invoice, random(name).pick(families.blind))
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Digital documents a second on two threads and on one, in turns after a warm one. */
export async function benchThreads({ documents = 60, turns = 5 } = {}): Promise<{ one: number[]; two: number[] }> {
  const pdfs = await Promise.all(Array.from({ length: documents }, (_, index) => draw(`threads/${index}`)))
  const pools = [1, 2].map((threadsMax) =>
    createWorkerPool<PipelineTask, unknown>({
      module: new URL('../src/pipeline/worker.ts', import.meta.url),
      threadsMax,
      queueMax: documents,
      timeoutMs: 120_000,
    }),
  )
  const rates: [number[], number[]] = [[], []]
  try {
    for (let turn = -2; turn < turns; turn += 1) {
      for (const [index, pool] of pools.entries()) {
        const read = ({ bytes }: { bytes: Uint8Array }) =>
          pool.run({ kind: 'read', bytes: bytes.slice(), filename: 'factura.pdf', context, doubtBelow: 0 })
        const ms = await timed(() => Promise.all(pdfs.map(read)))
        if (turn >= 0) rates[index]?.push((documents * 1_000) / ms)
      }
    }
  } finally {
    for (const pool of pools) await pool.close()
  }
  return { one: rates[0], two: rates[1] }
}

export interface ScanTimes {
  /** Milliseconds of the whole way from bytes to fields. */
  oursMs: number
  /** Of tesseract.js with the same model on the picture as we prepared it. */
  bareMs: number
  /** Whether the amounts proved as they were read at first. */
  proved: boolean
}

/** What reading a scan costs beside the bare engine on the prepared picture. */
export async function benchScans({ documents = 8 } = {}): Promise<ScanTimes[]> {
  const langPath = dirname(require.resolve('@tesseract.js-data/spa/4.0.0_best_int/spa.traineddata.gz'))
  const worker = await createWorker('spa', 1, { langPath, cacheMethod: 'none' })
  const times: ScanTimes[] = []
  try {
    for (let index = 0; times.length < documents; index += 1) {
      const { bytes: pdf, pages } = await draw(`scans/${index}`)
      if (pages > 1) continue
      const { bytes, format } = await scanImage(random(`scans/${index}/scan`), pdf)
      const reader = await openDocument(bytes)
      const kept = reader.rasters.get(0)
      if (kept === undefined) continue
      const { data, width, height } = kept.raster
      const prepared = await sharp(data, { raw: { width, height, channels: 1 } })
        .png()
        .toBuffer()
      const bareMs = await timed(() => worker.recognize(prepared, {}, { blocks: true }))
      const oursMs = await timed(() => extractInvoice(bytes, { filename: `scan.${format}`, context }))
      times.push({ oursMs, bareMs, proved: !isDoubtful(reader.document, understand(reader.document, context)) })
    }
  } finally {
    await worker.terminate()
  }
  return times
}

export type Heavy = 'one page' | '300 pages' | 'photo of 20 MB'

/** Megabytes that a process with one reading thread needed at most while it read such a document. */
export async function benchMemory(document: Heavy): Promise<number> {
  const program = fileURLToPath(new URL('./measure-memory.ts', import.meta.url))
  const { stdout } = await run(process.execPath, [program, document])
  return Number(stdout)
}
