import { PDFDocument } from 'pdf-lib'
import sharp, { type Sharp } from 'sharp'
import { withPdf } from '../../src/pages/pdf-file.ts'
import { type Raster, renderPage } from '../../src/pages/pdf-raster.ts'
import { markPage } from './page-marks.ts'
import type { Random } from './random.ts'
import { type Light, lighten, look, type Point } from './scan-optics.ts'

export interface Scan {
  bytes: Uint8Array
  format: 'jpg' | 'png' | 'webp' | 'pdf'
  meta: Record<string, unknown>
}

export type Kind = 'clean' | 'office' | 'copy' | 'fax' | 'photo'

const allKinds: readonly Kind[] = ['clean', 'office', 'copy', 'fax', 'photo']

/** What is the same for all pages of one pass through a machine. */
interface Machine {
  kind: Kind
  dpi: number
  blur: number
  quality: number
  format: 'jpg' | 'png' | 'webp'
  /** The page was put in sideways or upside down; telephones note it in the file instead. */
  turned: 0 | 90 | 180 | 270
  /** Paper that is not white, as the machine sees it; null for grey pictures. */
  paperColour: readonly [red: number, green: number, blue: number] | null
  /** Saved for print, as some office software does. */
  cmyk: boolean
}

/** White under a warm lamp, and the yellow, pink, green and blue of copies and delivery books. */
const paperColours = [
  [255, 250, 238],
  [255, 242, 170],
  [255, 215, 222],
  [212, 240, 205],
  [205, 226, 250],
] as const

/** Turns the first page of a PDF into what a scanner, a fax or a telephone makes of it. */
export async function scanImage(random: Random, pdf: Uint8Array, kinds: readonly Kind[] = allKinds): Promise<Scan> {
  const machine = chooseMachine(random, kinds)
  const picture = await scanPage(random, pdf, 0, machine)
  return { bytes: await encode(picture, machine), format: machine.format, meta: { class: 'scan', ...machine } }
}

/** Turns all pages of a PDF into one that holds only their pictures, as office scanners make it. */
export async function scanPdf(random: Random, pdf: Uint8Array, pages: number): Promise<Scan> {
  const chosen = chooseMachine(random, ['clean', 'office', 'copy', 'fax'])
  const machine: Machine = { ...chosen, format: chosen.format === 'png' ? 'png' : 'jpg' }
  const document = await PDFDocument.create()
  document.setCreationDate(new Date(0))
  document.setModificationDate(new Date(0))
  for (let index = 0; index < pages; index += 1) {
    const picture = await scanPage(random, pdf, index, machine)
    const bytes = await encode(picture, machine)
    const image = machine.format === 'png' ? await document.embedPng(bytes) : await document.embedJpg(bytes)
    const width = (image.width * 72) / machine.dpi
    const height = (image.height * 72) / machine.dpi
    document.addPage([width, height]).drawImage(image, { x: 0, y: 0, width, height })
  }
  return { bytes: await document.save(), format: 'pdf', meta: { class: 'scanned-pdf', ...machine } }
}

function chooseMachine(random: Random, kinds: readonly Kind[]): Machine {
  const weights: Record<Kind, number> = { clean: 15, office: 35, copy: 15, fax: 10, photo: 25 }
  const kind = random.weighted(kinds.map((name) => [name, weights[name]] as const))
  const dpis = {
    clean: [150, 200, 300],
    office: [150, 200, 200, 300],
    copy: [150, 200, 240],
    fax: [200],
    photo: [150, 180, 200],
  }
  const blurs = { clean: 0, office: 0.5, copy: 0.9, fax: 0.5, photo: 0.9 }
  return {
    kind,
    dpi: random.pick(dpis[kind]),
    blur: Math.round(random.next() * blurs[kind] * 100) / 100,
    quality: random.int(kind === 'clean' ? 75 : 42, kind === 'clean' ? 92 : 85),
    format:
      kind === 'fax'
        ? 'png'
        : random.weighted([
            ['jpg', 70],
            ['png', 12],
            ['webp', 18],
          ] as const),
    turned: random.chance(0.1) ? random.pick([90, 180, 270] as const) : 0,
    paperColour: kind === 'fax' || random.chance(0.5) ? null : random.pick(paperColours),
    cmyk: random.chance(0.05),
  }
}

async function scanPage(random: Random, pdf: Uint8Array, index: number, machine: Machine): Promise<Raster> {
  const { kind, dpi, blur } = machine
  const page = await withPdf(pdf, (file) => renderPage(file, index, { dpi }))
  if (page === undefined) throw new Error('page cannot be drawn')
  await markPage(random, page, dpi)
  const seen = kind === 'photo' ? photograph(random, page) : layOnGlass(random, page, kind)
  const blurred = blur < 0.3 ? seen : await greyPixels(fromRaster(seen).blur(blur))
  lighten(random, blurred, lightOf(random, kind))
  return kind === 'fax' ? greyPixels(fromRaster(blurred).threshold(random.int(130, 175))) : blurred
}

/** Slightly slanted and moved; beyond the edge of the sheet the lid is seen. */
function layOnGlass(random: Random, page: Raster, kind: Kind): Raster {
  const { width, height } = page
  const degrees = (random.next() * 2 - 1) * { clean: 0.15, office: 1.2, copy: 2, fax: 1, photo: 0 }[kind]
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const [moveX, moveY] = kind === 'clean' ? [0, 0] : [random.int(-6, 6), random.int(-8, 8)]
  const place = (x: number, y: number): Point => [
    width / 2 + (x - width / 2) * cos - (y - height / 2) * sin + moveX,
    height / 2 + (x - width / 2) * sin + (y - height / 2) * cos + moveY,
  ]
  const lid = kind === 'copy' && random.chance(0.3) ? 70 : 250
  return look(page, {
    width,
    height,
    corners: [place(0, 0), place(width, 0), place(width, height), place(0, height)],
    background: () => lid,
  })
}

/** From above by hand: the whole sheet with some of the table around it, not quite square. */
function photograph(random: Random, page: Raster): Raster {
  const { width, height } = page
  const margin = 0.02 + random.next() * 0.07
  const slant = random.chance(0.3) ? 0.06 : 0.02
  const tilt = () => (random.next() * 2 - 1) * slant
  const degrees = (random.next() * 2 - 1) * 2.5
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const place = (x: number, y: number): Point => {
    const u = (x - 0.5) * (1 + 2 * margin + tilt()) * width
    const v = (y - 0.5) * (1 + 2 * margin + tilt()) * height
    return [width / 2 + u * cos - v * sin, height / 2 + u * sin + v * cos]
  }
  const table = random.int(35, 130)
  const grainPx = random.int(9, 40)
  return look(page, {
    width: Math.round(width * (1 + margin)),
    height: Math.round(height * (1 + margin)),
    corners: [place(0, 0), place(1, 0), place(1, 1), place(0, 1)],
    background: (x, y) => table + 12 * Math.sin(y / grainPx + 2 * Math.sin(x / 210)),
  })
}

/** Levels of paper and ink from … to, slope of the light, noise. */
const lights: Record<Kind, readonly [paper: [number, number], ink: [number, number], slope: number, noise: number]> = {
  clean: [[248, 255], [0, 20], 0, 1],
  office: [[228, 252], [10, 60], 10, 6],
  copy: [[220, 250], [30, 90], 14, 14],
  fax: [[235, 255], [10, 40], 6, 10],
  photo: [[165, 230], [15, 55], 80, 9],
}

function lightOf(random: Random, kind: Kind): Light {
  const [paper, ink, slope, noise] = lights[kind]
  return {
    paper: random.int(...paper),
    ink: random.int(...ink),
    slopeX: (random.next() - 0.5) * slope,
    slopeY: (random.next() - 0.5) * slope,
    shadow: kind === 'photo' && random.chance(0.5) ? 0.1 + random.next() * 0.3 : 0,
    noise,
    specks: kind === 'copy' || kind === 'fax' ? random.int(0, 60) : 0,
  }
}

const fromRaster = ({ data, width, height }: Raster): Sharp => sharp(data, { raw: { width, height, channels: 1 } })

/** A picture in process is written with three channels unless told otherwise. */
async function greyPixels(image: Sharp): Promise<Raster> {
  const { data, info } = await image.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  if (info.channels !== 1) throw new Error(`a grey picture came out with ${info.channels} channels`)
  return { data, width: info.width, height: info.height }
}

const exifOrientation = { 0: 1, 90: 8, 180: 3, 270: 6 } as const

async function encode(picture: Raster, machine: Machine): Promise<Buffer> {
  const { kind, turned, format, quality, paperColour, cmyk } = machine
  if (paperColour !== null || cmyk) return encodeColours(picture, machine)
  let image = fromRaster(picture)
  if (turned !== 0) image = image.rotate(turned)
  if (turned !== 0 && kind === 'photo') image = image.withMetadata({ orientation: exifOrientation[turned] })
  // Naming a number of colours makes a palette of them, whatever `palette` says.
  if (format === 'png')
    return image
      .toColourspace('b-w')
      .png(kind === 'fax' ? { colours: 2 } : {})
      .toBuffer()
  return format === 'jpg' ? image.toColourspace('b-w').jpeg({ quality }).toBuffer() : image.webp({ quality }).toBuffer()
}

async function encodeColours({ data, width, height }: Raster, machine: Machine): Promise<Buffer> {
  const { kind, turned, format, quality, paperColour, cmyk } = machine
  const [red, green, blue] = paperColour ?? [255, 255, 255]
  const pixels = new Uint8Array(data.length * 3)
  for (let at = 0; at < data.length; at += 1) {
    const level = (data[at] ?? 255) / 255
    pixels.set([level * red, level * green, level * blue], at * 3)
  }
  let image = sharp(pixels, { raw: { width, height, channels: 3 } })
  if (turned !== 0) image = image.rotate(turned)
  if (turned !== 0 && kind === 'photo') image = image.withMetadata({ orientation: exifOrientation[turned] })
  if (format === 'png') return image.png().toBuffer()
  if (format === 'webp') return image.webp({ quality }).toBuffer()
  return (cmyk ? image.toColourspace('cmyk') : image).jpeg({ quality }).toBuffer()
}
