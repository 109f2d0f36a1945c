import { fail } from '@asiento/proto/errors'
import sharp from 'sharp'
import type { Raster } from '../pages/pdf-raster.ts'
import { pixelsMax } from '../pages/sniff.ts'

/** No page needs more: A4 at 400 dpi. Larger pictures are reduced while they are decoded. */
const sidePxMax = 4700

sharp.cache(false)
sharp.concurrency(1)

/**
 * Decodes a PNG, JPEG or WebP to grey pixels, upright as its EXIF data say, transparent parts white, CMYK converted.
 *
 * Fails with FILE_TYPE_INVALID when the file is broken or declares more than {@link pixelsMax} pixels, before any
 * memory is taken for them.
 */
export async function decode(bytes: Uint8Array): Promise<Raster> {
  const options = { limitInputPixels: pixelsMax, failOn: 'error', sequentialRead: true } as const
  try {
    const { width, height } = await sharp(bytes, options).metadata()
    if (width * height > pixelsMax) {
      fail('FILE_TYPE_INVALID', { detail: `The image has ${width} x ${height} pixels; at most ${pixelsMax} are read.` })
    }
    let image = sharp(bytes, options).autoOrient().flatten({ background: '#ffffff' })
    if (Math.max(width, height) > sidePxMax) {
      image = image.resize({ width: sidePxMax, height: sidePxMax, fit: 'inside', withoutEnlargement: true })
    }
    const { data, info } = await image.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
    return { data: oneChannel(data, info.channels), width: info.width, height: info.height }
  } catch (error) {
    if (error instanceof Error && error.name === 'AppError') throw error
    const tooLarge = error instanceof Error && /pixel limit|too large|exceeds/i.test(error.message)
    fail('FILE_TYPE_INVALID', {
      detail: tooLarge ? 'The image has too many pixels.' : 'The image is corrupt or truncated.',
      cause: error,
    })
  }
}

function oneChannel(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 1) return data
  const result = new Uint8Array(data.length / channels)
  for (let at = 0; at < result.length; at += 1) result[at] = data[at * channels] ?? 255
  return result
}
