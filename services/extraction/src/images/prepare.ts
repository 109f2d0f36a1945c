import sharp from 'sharp'
import type { Raster } from '../pages/pdf-raster.ts'
import { invertDarkBands } from './dark-bands.ts'
import { flatten, isWhite, paperFigures } from './flatten.ts'
import { inkMap, measurePaper } from './ink.ts'
import { findSheet } from './sheet-corners.ts'
import { measureTilt } from './skew.ts'
import { straighten, turnSlightly } from './straighten.ts'

export interface Prepared {
  raster: Raster
  /** Of the raster as it is now. */
  dpi: number
  /** Of the picture before it was enlarged or reduced. */
  sourceDpi: number
  /** Suspected direction of the text before reading confirms it; the raster is not turned yet. */
  sideways: boolean
  skewDegrees: number
  /** Brightness of the paper minus that of the ink, 0–1. */
  contrast: number
  /** Steepness of edges, 0–1. */
  sharpness: number
}

export interface PrepareOptions {
  /** Of the raster, where it is known (a page of a PDF); else A4 is assumed. */
  dpi?: number
  /** A photograph may show more than the sheet. */
  photo?: boolean
}

/** Resolution at which recognition is most right (measured: docs/adr). */
export const ocrDpi = 250
const dpiMax = 330
const skewMin = 0.2

/**
 * Brings a picture of a page into the state in which recognition works best: the sheet cut out and straightened, evenly
 * lit, at the right resolution, its lines horizontal (vertical, where it lies on its side).
 */
export async function prepare(source: Raster, options: PrepareOptions): Promise<Prepared> {
  const sheet = options.photo === true ? findSheet(source) : undefined
  let raster = sheet === undefined ? source : straighten(source, sheet)
  const paper = measurePaper(raster)
  const tilt = measureTilt(inkMap(raster, paper))
  const white = isWhite(paperFigures(paper))
  const sourceDpi = options.dpi ?? assumedDpi(raster)
  const { contrast, sharpness } = measureEdges(raster)
  if (!white) raster = flatten(raster, paper)
  const target = sourceDpi < ocrDpi ? ocrDpi : sourceDpi > dpiMax ? ocrDpi + 50 : sourceDpi
  const skewDegrees = tilt.sideways ? tilt.sidewaysSkewDegrees : tilt.skewDegrees
  const slanted = Math.abs(skewDegrees) >= skewMin
  const factor = target / sourceDpi
  // Turning costs time by the pixel: do it at the smaller of the two sizes.
  if (slanted && factor >= 1) raster = turnSlightly(raster, -skewDegrees)
  raster = await resize(raster, factor)
  if (slanted && factor < 1) raster = turnSlightly(raster, -skewDegrees)
  if (raster.data === source.data) raster = { ...raster, data: Uint8Array.from(raster.data) }
  invertDarkBands(raster, target)
  return {
    raster,
    dpi: target,
    sourceDpi,
    sideways: tilt.sideways,
    skewDegrees,
    contrast,
    sharpness,
  }
}

/** Of a picture without a known size: that of an A4 page, or of a receipt where it is long and narrow. */
function assumedDpi({ width, height }: Raster): number {
  const short = Math.min(width, height)
  const long = Math.max(width, height)
  const inches = long / short > 1.62 ? 3.15 : 8.27
  return Math.max(50, Math.min(1200, short / inches))
}

async function resize({ data, width, height }: Raster, factor: number): Promise<Raster> {
  if (Math.abs(factor - 1) < 0.03) return { data, width, height }
  const image = sharp(data, { raw: { width, height, channels: 1 }, limitInputPixels: false })
  const kernel = factor > 1 ? 'cubic' : 'lanczos3'
  const resized = image.resize({
    width: Math.round(width * factor),
    height: Math.round(height * factor),
    fit: 'fill',
    kernel,
  })
  const { data: pixels, info } = await resized.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  return { data: pixels, width: info.width, height: info.height }
}

/** Contrast from the ends of the histogram; sharpness from the steepest steps between neighbours. */
function measureEdges({ data, width, height }: Raster): { contrast: number; sharpness: number } {
  const levels = new Uint32Array(256)
  const steps = new Uint32Array(256)
  let count = 0
  for (let y = 0; y < height; y += 3) {
    for (let x = 0; x + 1 < width; x += 2) {
      const at = y * width + x
      const value = data[at] ?? 0
      const step = Math.abs(value - (data[at + 1] ?? 0))
      levels[value] = (levels[value] ?? 0) + 1
      steps[step] = (steps[step] ?? 0) + 1
      count += 1
    }
  }
  const low = rank(levels, count * 0.01)
  const high = rank(levels, count * 0.8)
  const contrast = Math.max(0, (high - low) / 255)
  return { contrast, sharpness: Math.min(1, rank(steps, count * 0.997) / Math.max(30, high - low)) }
}

function rank(histogram: Uint32Array, wanted: number): number {
  let seen = 0
  for (let value = 0; value < 256; value += 1) {
    seen += histogram[value] ?? 0
    if (seen >= wanted) return value
  }
  return 255
}
