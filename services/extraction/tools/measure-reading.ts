import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import sharp from 'sharp'
import { createWorker } from 'tesseract.js'
import { openDocument } from '../src/pages/open-document.ts'
import { readDocument } from '../src/pages/read-document.ts'

/**
 * Prints how long reading takes beside its bare engines, as medians of ratios per file: `node tools/measure-reading.ts
 * DIR [LIMIT]`. Text: pdfjs-dist extracting the same PDF. Pictures: tesseract.js reading the picture as prepared.
 */
const [folder, limit = '20'] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: measure-reading.ts DIR [LIMIT]')
const rounds = 3
const names = (await readdir(folder)).sort()
const pick = (pattern: RegExp): string[] => names.filter((name) => pattern.test(name)).slice(0, Number(limit))
const load = async (name: string): Promise<Uint8Array> => readFile(join(folder, name))
const require = createRequire(import.meta.url)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

async function bareText(bytes: Uint8Array): Promise<void> {
  const fonts = join(dirname(require.resolve('pdfjs-dist/package.json')), 'standard_fonts/')
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0, standardFontDataUrl: fonts }).promise
  for (let page = 1; page <= document.numPages; page += 1) await (await document.getPage(page)).getTextContent()
  await document.cleanup()
}

const textRatios: number[] = []
const textTimes: number[] = []
for (let round = 0; round < rounds; round += 1) {
  for (const name of pick(/^(?!sp_).*\.pdf$/)) {
    const bytes = await load(name)
    const bare = await timed(() => bareText(bytes))
    const ours = await timed(() => readDocument(bytes))
    if (round === 0) continue
    textRatios.push(ours / bare)
    textTimes.push(ours)
  }
}

const langPath = dirname(require.resolve('@tesseract.js-data/spa/4.0.0_best_int/spa.traineddata.gz'))
const worker = await createWorker('spa', 1, { langPath, cacheMethod: 'none' })
const pictureRatios: number[] = []
const pictureTimes: number[] = []
for (let round = 0; round < 2; round += 1) {
  for (const name of pick(/\.(jpg|png|webp)$/)) {
    const bytes = await load(name)
    const { rasters } = await openDocument(bytes)
    const kept = rasters.get(0)
    if (kept === undefined) continue
    const { data, width, height } = kept.raster
    const prepared = await sharp(data, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer()
    const bare = await timed(() => worker.recognize(prepared, {}, { blocks: true }))
    const ours = await timed(() => openDocument(bytes))
    if (round === 0) continue
    pictureRatios.push(ours / bare)
    pictureTimes.push(ours)
  }
}
await worker.terminate()

const line = (what: string, times: readonly number[], ratios: readonly number[]): string =>
  `${what}: median ${median(times).toFixed(1)} ms, ratio to the bare engine ${median(ratios).toFixed(2)} (${ratios.length} readings)\n`
process.stdout.write(line('text', textTimes, textRatios))
process.stdout.write(line('pictures', pictureTimes, pictureRatios))
process.stdout.write(`memory ${Math.round(process.memoryUsage().rss / 1e6)} MB\n`)
