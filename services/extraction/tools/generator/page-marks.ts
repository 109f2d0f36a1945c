import sharp from 'sharp'
import type { Raster } from '../../src/pages/pdf-raster.ts'
import type { Random } from './random.ts'

const stamps = ['PAGADO', 'CONTABILIZADO', 'RECIBIDO', 'CONFORME', 'ENTRADA', 'COPIA', 'REGISTRADO'] as const

/**
 * What an office puts on the paper, in place: a rubber stamp on half of the pages' margins or over their text, holes of
 * a file, a staple, a tick of a pen. A third of the pages stay as they were printed.
 */
export async function markPage(random: Random, page: Raster, dpi: number): Promise<void> {
  if (random.chance(0.35)) return
  const marks: string[] = []
  const { width, height } = page
  const unit = dpi / 72
  if (random.chance(0.4)) marks.push(stamp(random, page, unit))
  if (random.chance(0.35)) {
    const middle = height / 2
    for (const y of [middle - 113 * unit, middle + 113 * unit])
      marks.push(`<circle cx="${34 * unit}" cy="${y}" r="${8.5 * unit}" fill="#3a3a3a"/>`)
  }
  if (random.chance(0.25)) {
    const [x, y] = [random.int(14, 40) * unit, random.int(14, 40) * unit]
    marks.push(
      `<path d="M${x} ${y} l${26 * unit} ${-random.int(2, 14) * unit}" stroke="#666" stroke-width="${1.6 * unit}"/>`,
    )
  }
  if (random.chance(0.3)) {
    const x = random.int(5, 85) * 0.01 * width
    const y = random.int(10, 90) * 0.01 * height
    marks.push(
      `<path d="M${x} ${y} l${5 * unit} ${8 * unit} l${13 * unit} ${-22 * unit}" fill="none" stroke="#4a4a60" stroke-width="${1.3 * unit}"/>`,
    )
  }
  if (marks.length === 0) return
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${marks.join('')}</svg>`
  const marked = await sharp(page.data, { raw: { width, height, channels: 1 } })
    .toColourspace('srgb')
    .composite([{ input: Buffer.from(svg), blend: 'multiply' }])
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { channels } = marked.info
  for (let at = 0; at < page.data.length; at += 1) page.data[at] = marked.data[at * channels] ?? 255
}

/** A frame with a word and a date, slightly turned, in worn ink that lets the print below be read. */
function stamp(random: Random, { width, height }: Raster, unit: number): string {
  const word = random.pick(stamps)
  const date = `${random.int(1, 28)} ${random.pick(['ENE', 'FEB', 'MAR', 'ABR', 'MAY', 'JUN'])} 2025`
  const size = random.int(11, 20) * unit
  const wide = word.length * size * 0.75
  const x = random.int(8, 65) * 0.01 * width
  const y = random.int(12, 85) * 0.01 * height
  const shade = random.int(120, 190)
  const ink = `rgb(${shade},${shade},${shade})`
  const dated = random.chance(0.6)
  return `<g transform="rotate(${random.int(-14, 14)} ${x} ${y})" font-family="Liberation Sans" font-weight="bold" fill="${ink}">
<rect x="${x - 0.5 * size}" y="${y - 1.3 * size}" width="${wide + size}" height="${dated ? 3 * size : 1.8 * size}" fill="none" stroke="${ink}" stroke-width="${0.12 * size}"/>
<text x="${x}" y="${y}" font-size="${size}">${word}</text>
${dated ? `<text x="${x}" y="${y + 1.2 * size}" font-size="${0.8 * size}">${date}</text>` : ''}</g>`
}
