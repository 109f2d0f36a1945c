import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import type { Raster } from '../pages/pdf-raster.ts'

/**
 * Tesseract as one WebAssembly instance a thread, without the wrapper that would start another thread and encode the
 * picture on the way. Recognition is synchronous.
 */
interface TesseractApi {
  Init: (dataPath: string, language: string, engineMode: number, config: string | null) => number
  SetVariable: (name: string, value: string) => boolean
  SetPageSegMode: (mode: number) => void
  SetImageFile: (exif: number, angle: number) => number
  SetSourceResolution: (dpi: number) => void
  SetRectangle: (left: number, top: number, width: number, height: number) => void
  Recognize: (monitor: null) => number
  GetTSVText: (page: number) => string
  ClearAdaptiveClassifier: () => void
  Clear: () => void
  End: () => void
}

interface TesseractModule {
  FS: { writeFile: (path: string, data: Uint8Array) => void }
  TessBaseAPI: new () => TesseractApi
}

/** How the page is cut into lines (Tesseract's page segmentation modes). */
export const segmentations = { page: 3, block: 6, line: 7, word: 8, sparse: 11 } as const
export type Segmentation = keyof typeof segmentations

export interface OcrWord {
  text: string
  /** 0–1. */
  confidence: number
  /** Pixels. */
  left: number
  top: number
  width: number
  height: number
  /** Number of the line on the page; words of one line share it. */
  line: number
  /** Pixels: height of the whole line. */
  lineHeight: number
}

export interface RecognizeOptions {
  dpi: number
  segmentation?: Segmentation
  /** Signs that may occur, for a second reading of amounts. */
  whitelist?: string
}

/** Documents read before an instance is thrown away: its memory only ever grows. */
const usesMax = 200
/** LSTM only. */
const engineMode = 1

let instance: Promise<{ module: TesseractModule; api: TesseractApi }> | undefined
let uses = 0

/** Reads the words of a grey raster. The same pixels and options give the same words. */
export async function recognize(raster: Raster, options: RecognizeOptions): Promise<OcrWord[]> {
  uses += 1
  if (uses > usesMax) await endOcr()
  instance ??= start()
  const { module, api } = await instance
  try {
    api.SetPageSegMode(segmentations[options.segmentation ?? 'page'])
    api.SetVariable('tessedit_char_whitelist', options.whitelist ?? '')
    module.FS.writeFile('/input', bitmap(raster))
    if (api.SetImageFile(1, 0) === 1) throw new Error('the picture was not taken')
    api.SetSourceResolution(Math.round(options.dpi))
    api.Recognize(null)
    return parseTsv(api.GetTSVText(0))
  } catch (error) {
    // A WebAssembly fault leaves the instance in an unknown state.
    instance = undefined
    throw error
  } finally {
    api.Clear()
  }
}

/** Frees the engine; the next reading starts another one (about 150 ms). */
async function endOcr(): Promise<void> {
  const ended = await instance
  instance = undefined
  uses = 0
  ended?.api.End()
}

async function start(): Promise<{ module: TesseractModule; api: TesseractApi }> {
  const require = createRequire(import.meta.url)
  // The package has no types; its factory resolves to the Emscripten module described above.
  const create = require('tesseract.js-core/tesseract-core-relaxedsimd-lstm.js') as (
    options: object,
  ) => Promise<TesseractModule>
  const module = await create({ print: () => {}, printErr: () => {} })
  const packed = await readFile(require.resolve('@tesseract.js-data/spa/4.0.0_best_int/spa.traineddata.gz'))
  module.FS.writeFile('/spa.traineddata', gunzipSync(packed))
  const api = new module.TessBaseAPI()
  if (api.Init('/', 'spa', engineMode, null) !== 0) throw new Error('the OCR model did not load')
  return { module, api }
}

/** An 8-bit BMP: of all formats the engine takes, the one it copies by rows instead of decoding it. */
function bitmap({ data, width, height }: Raster): Uint8Array {
  const stride = (width + 3) & ~3
  const start = 54 + 1024
  const file = Buffer.alloc(start + stride * height)
  file.write('BM', 0, 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(start, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(8, 28)
  file.writeUInt32LE(stride * height, 34)
  file.writeUInt32LE(256, 46)
  for (let level = 0; level < 256; level += 1) file.writeUInt32LE(level * 0x010101, 54 + 4 * level)
  for (let row = 0; row < height; row += 1) {
    file.set(data.subarray(row * width, (row + 1) * width), start + (height - 1 - row) * stride)
  }
  return file
}

/** Columns: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
function parseTsv(tsv: string): OcrWord[] {
  const words: OcrWord[] = []
  let line = -1
  let lineHeight = 0
  for (const row of tsv.split('\n')) {
    const cells = row.split('\t')
    const level = cells[0]
    if (level === '4') {
      line += 1
      lineHeight = Number(cells[9])
    }
    const text = cells[11]?.trim() ?? ''
    if (level !== '5' || text === '') continue
    words.push({
      text,
      confidence: Math.max(0, Math.min(1, Number(cells[10]) / 100)),
      left: Number(cells[6]),
      top: Number(cells[7]),
      width: Number(cells[8]),
      height: Number(cells[9]),
      line,
      lineHeight,
    })
  }
  return words
}
