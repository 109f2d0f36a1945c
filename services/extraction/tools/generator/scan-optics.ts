import type { Raster } from '../../src/pages/pdf-raster.ts'
import type { Random } from './random.ts'

/** Paper is white and ink black before light falls on them. */
const paperLevel = 255

export interface View {
  width: number
  height: number
  /** Where the corners of the picture lie on the page, in its pixels: top left, top right, bottom right, bottom left. */
  corners: readonly [Point, Point, Point, Point]
  /** What is seen beside the page. */
  background: (x: number, y: number) => number
}
export type Point = readonly [x: number, y: number]

/** The page as a camera or a scanner sees it: slanted, in perspective, with what lies around it. */
export function look(page: Raster, { width, height, corners, background }: View): Raster {
  const [a, b, c, d] = corners
  const sumX = a[0] - b[0] + c[0] - d[0]
  const sumY = a[1] - b[1] + c[1] - d[1]
  const determinant = (b[0] - c[0]) * (d[1] - c[1]) - (d[0] - c[0]) * (b[1] - c[1])
  const m = (sumX * (d[1] - c[1]) - (d[0] - c[0]) * sumY) / determinant
  const n = ((b[0] - c[0]) * sumY - sumX * (b[1] - c[1])) / determinant
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    const t = y / height
    for (let x = 0; x < width; x += 1) {
      const s = x / width
      const w = m * s + n * t + 1
      const u = ((b[0] - a[0] + m * b[0]) * s + (d[0] - a[0] + n * d[0]) * t + a[0]) / w
      const v = ((b[1] - a[1] + m * b[1]) * s + (d[1] - a[1] + n * d[1]) * t + a[1]) / w
      const inside = u >= 0 && v >= 0 && u < page.width - 1 && v < page.height - 1
      data[y * width + x] = inside ? sample(page, u, v) : background(x, y)
    }
  }
  return { data, width, height }
}

function sample({ data, width }: Raster, u: number, v: number): number {
  const column = Math.floor(u)
  const row = Math.floor(v)
  const fx = u - column
  const at = row * width + column
  const top = (data[at] ?? paperLevel) * (1 - fx) + (data[at + 1] ?? paperLevel) * fx
  const bottom = (data[at + width] ?? paperLevel) * (1 - fx) + (data[at + width + 1] ?? paperLevel) * fx
  return top + (bottom - top) * (v - row)
}

export interface Light {
  /** Levels 0–255 of the bare paper and of full ink. */
  paper: number
  ink: number
  /** Levels between one side and the other. */
  slopeX: number
  slopeY: number
  /** A soft shadow beyond a line through the picture; 0 leaves it out, 0.3 takes 30 % of the light. */
  shadow: number
  /** Greatest deviation of a pixel. */
  noise: number
  /** Black and white dots in a million pixels. */
  specks: number
}

/** Grey paper, uneven light, noise and specks, in place. */
export function lighten(random: Random, { data, width, height }: Raster, light: Light): void {
  const { paper, ink, slopeX, slopeY, shadow, noise, specks } = light
  const angle = random.next() * 2 * Math.PI
  const [alongX, alongY] = [Math.cos(angle), Math.sin(angle)]
  const edge = (random.next() - 0.5) * 0.5
  let state = random.int(1, 2_147_483_646)
  for (let y = 0; y < height; y += 1) {
    const dy = y / height - 0.5
    for (let x = 0; x < width; x += 1) {
      state = (state * 48_271) % 2_147_483_647
      const dx = x / width - 0.5
      const at = y * width + x
      const shade = shadow === 0 ? 1 : 1 - shadow / (1 + Math.exp(-25 * (dx * alongX + dy * alongY - edge)))
      const grain = ((state & 0xff) / 128 - 1) * noise
      const lit = ink + ((data[at] ?? paperLevel) / paperLevel) * (paper - ink) + slopeX * dx + slopeY * dy
      data[at] = Math.max(0, Math.min(255, Math.round(lit * shade + grain)))
      if ((state >> 8) % 1_000_000 < specks) data[at] = state % 2 === 0 ? 20 : 250
    }
  }
}
