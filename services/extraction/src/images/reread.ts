import sharp from 'sharp'
import type { Box } from '../domain/page.ts'
import type { Raster } from '../pages/pdf-raster.ts'
import { recognize } from './ocr-engine.ts'

export interface RereadOptions {
  /** Only what amounts, rates and dates consist of. */
  digitsOnly?: boolean
  /** Of the raster. */
  dpi: number
}

export interface Reread {
  text: string
  /** 0–1; the lowest of the words. */
  confidence: number
}

/** Height in pixels at which single lines are read best. */
const lineHeightPx = 56
/** With less paper at both ends, recognition doubles or drops the outermost digits. */
const blankPx = 56
const amountSigns = '0123456789.,-+%€/'

/**
 * Reads a part of a page a second time: cut out with a margin, enlarged, as one line, and if wanted with nothing but
 * the signs of amounts allowed. `text` is empty when nothing is read.
 */
export async function rereadRegion(
  raster: Raster,
  box: Box,
  { digitsOnly = false, dpi }: RereadOptions,
): Promise<Reread> {
  const part = cut(raster, box)
  if (part.width < 4 || part.height < 4) return { text: '', confidence: 0 }
  const factor = Math.min(4, Math.max(1, lineHeightPx / part.height))
  const image = sharp(part.data, { raw: { width: part.width, height: part.height, channels: 1 } })
    .resize({
      width: Math.round(part.width * factor),
      height: Math.round(part.height * factor),
      fit: 'fill',
      kernel: 'cubic',
    })
    .extend({ top: 14, bottom: 14, left: blankPx, right: blankPx, background: '#ffffff' })
  const { data, info } = await image.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  const words = await recognize(
    { data, width: info.width, height: info.height },
    { dpi: dpi * factor, segmentation: 'line', ...(digitsOnly ? { whitelist: amountSigns } : {}) },
  )
  return {
    text: words.map(({ text }) => text).join(' '),
    confidence: words.length === 0 ? 0 : Math.min(...words.map(({ confidence }) => confidence)),
  }
}

function cut({ data, width, height }: Raster, { x0, y0, x1, y1 }: Box): Raster {
  const margin = Math.round((y1 - y0) * height * 0.22) + 2
  const left = Math.max(0, Math.floor(x0 * width) - margin)
  const top = Math.max(0, Math.floor(y0 * height) - margin)
  const right = Math.min(width, Math.ceil(x1 * width) + margin)
  const bottom = Math.min(height, Math.ceil(y1 * height) + margin)
  const partWidth = Math.max(0, right - left)
  const partHeight = Math.max(0, bottom - top)
  const part = new Uint8Array(partWidth * partHeight)
  for (let row = 0; row < partHeight; row += 1) {
    part.set(data.subarray((top + row) * width + left, (top + row) * width + right), row * partWidth)
  }
  return { data: part, width: partWidth, height: partHeight }
}
