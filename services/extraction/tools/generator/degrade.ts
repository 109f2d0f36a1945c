import sharp from 'sharp'
import { withPdf } from '../../src/pages/pdf-file.ts'
import { renderPage } from '../../src/pages/pdf-raster.ts'
import type { Random } from './random.ts'

export interface Scan {
  bytes: Buffer
  format: 'jpg' | 'png' | 'webp'
  meta: Record<string, unknown>
}

type Kind = 'office' | 'fax' | 'photo' | 'copy'

/** Turns the first page of a PDF into what a scanner, a fax or a telephone makes of it. */
export async function degrade(random: Random, pdf: Uint8Array): Promise<Scan> {
  const kind = random.weighted<Kind>([
    ['office', 45],
    ['photo', 25],
    ['copy', 20],
    ['fax', 10],
  ])
  const dpi = random.pick(kind === 'fax' ? [200] : kind === 'photo' ? [150, 180, 200] : [150, 200, 200, 240, 300])
  const raster = await withPdf(pdf, (file) => renderPage(file, 0, { dpi }))
  if (raster === undefined) throw new Error('page cannot be drawn')
  const { data, width, height } = raster
  const skew = (random.next() * 2 - 1) * (kind === 'photo' ? 3 : 1.6)
  const turned = random.chance(0.06) ? random.pick([90, 180, 270]) : 0
  let image = sharp(Buffer.from(data), { raw: { width, height, channels: 1 } })
  image = image.rotate(skew, { background: kind === 'photo' ? '#8a8178' : '#ffffff' })
  let pixels = await image.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  const blur =
    kind === 'photo' ? 0.4 + random.next() * 0.8 : kind === 'copy' ? 0.5 + random.next() * 0.5 : random.next() * 0.6
  pixels = await sharp(pixels.data, { raw: { width: pixels.info.width, height: pixels.info.height, channels: 1 } })
    .blur(Math.max(0.3, blur))
    .raw()
    .toBuffer({ resolveWithObject: true })
  shade(random, pixels.data, pixels.info.width, pixels.info.height, kind)
  let output = sharp(pixels.data, { raw: { width: pixels.info.width, height: pixels.info.height, channels: 1 } })
  if (kind === 'fax') output = output.threshold(random.int(120, 170))
  if (turned !== 0) output = output.rotate(turned)
  const format = random.weighted<Scan['format']>([
    ['jpg', 70],
    ['png', 15],
    ['webp', 15],
  ])
  const quality = random.int(45, 88)
  const bytes = await (format === 'jpg'
    ? output.jpeg({ quality })
    : format === 'png'
      ? output.png()
      : output.webp({ quality })
  ).toBuffer()
  return {
    bytes,
    format,
    meta: { class: 'scan', kind, dpi, skew: Math.round(skew * 100) / 100, turned, quality, blur },
  }
}

/** Uneven light, grey paper, noise and specks, in place. */
function shade(random: Random, pixels: Buffer, width: number, height: number, kind: Kind): void {
  const paper = kind === 'photo' ? random.int(170, 235) : random.int(225, 255)
  const ink = kind === 'copy' ? random.int(30, 90) : random.int(5, 50)
  const slopeX = kind === 'photo' ? (random.next() - 0.5) * 110 : (random.next() - 0.5) * 12
  const slopeY = kind === 'photo' ? (random.next() - 0.5) * 90 : (random.next() - 0.5) * 12
  const noise = kind === 'office' ? 5 : kind === 'photo' ? 8 : 12
  let state = random.int(1, 2_147_483_646)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      state = (state * 48_271) % 2_147_483_647
      const at = y * width + x
      const light = slopeX * (x / width - 0.5) + slopeY * (y / height - 0.5)
      const grain = ((state & 0xff) / 128 - 1) * noise
      const value = ink + ((pixels[at] ?? 255) / 255) * (paper - ink) + light + grain
      pixels[at] = Math.max(0, Math.min(255, Math.round(value)))
      if ((kind === 'copy' || kind === 'fax') && state % 9000 < 3) pixels[at] = state % 2 === 0 ? 0 : 255
    }
  }
}
