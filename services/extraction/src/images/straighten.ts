import type { Raster } from '../pages/pdf-raster.ts'
import type { Corners } from './sheet-corners.ts'

/** Pulls a four-sided area to a rectangle of its mean side lengths. */
export function straighten(raster: Raster, corners: Corners): Raster {
  const [a, b, c, d] = corners
  const length = (p: readonly [number, number], q: readonly [number, number]): number =>
    Math.hypot(q[0] - p[0], q[1] - p[1])
  const width = Math.max(1, Math.round((length(a, b) + length(d, c)) / 2))
  const height = Math.max(1, Math.round((length(a, d) + length(b, c)) / 2))
  const [g, h, i, j, k, l, m, n] = projection(corners, width, height)
  return resample(raster, width, height, (x, y) => {
    const w = m * x + n * y + 1
    return [(g * x + h * y + i) / w, (j * x + k * y + l) / w]
  })
}

/** Turns by small angles about the middle (degrees, clockwise), filling with white; the size stays. */
export function turnSlightly({ data, width, height }: Raster, degrees: number): Raster {
  const radians = (-degrees * Math.PI) / 180
  const cos = Math.cos(radians)
  const sin = Math.sin(radians)
  const result = new Uint8Array(data.length).fill(255)
  // Positions in 1/65536 pixels: whole numbers keep the inner loop several times faster.
  const stepX = Math.round(cos * 65_536)
  const stepY = Math.round(sin * 65_536)
  for (let y = 0; y < height; y += 1) {
    const dy = y - height / 2
    let u = Math.round((width / 2 + (-width / 2) * cos - dy * sin) * 65_536)
    let v = Math.round((height / 2 + (-width / 2) * sin + dy * cos) * 65_536)
    const to = y * width
    for (let x = 0; x < width; x += 1) {
      const column = Math.floor(u / 65_536)
      const row = Math.floor(v / 65_536)
      if (column >= 0 && row >= 0 && column < width - 1 && row < height - 1) {
        const at = row * width + column
        const fx = (u & 0xffff) >> 8
        const fy = (v & 0xffff) >> 8
        const top = (data[at] ?? 0) * (256 - fx) + (data[at + 1] ?? 0) * fx
        const bottom = (data[at + width] ?? 0) * (256 - fx) + (data[at + width + 1] ?? 0) * fx
        result[to + x] = (top * (256 - fy) + bottom * fy) >> 16
      }
      u += stepX
      v += stepY
    }
  }
  return { data: result, width, height }
}

export type QuarterTurn = 0 | 90 | 180 | 270

/** Turns by quarters, clockwise. */
export function turnQuarters({ data, width, height }: Raster, degrees: QuarterTurn): Raster {
  if (degrees === 0) return { data, width, height }
  const result = new Uint8Array(data.length)
  if (degrees === 180) {
    for (let at = 0; at < data.length; at += 1) result[data.length - 1 - at] = data[at] ?? 255
    return { data: result, width, height }
  }
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const to = degrees === 90 ? x * height + (height - 1 - y) : (width - 1 - x) * height + y
      result[to] = data[y * width + x] ?? 255
    }
  }
  return { data: result, width: height, height: width }
}

type Projection = readonly [number, number, number, number, number, number, number, number]

/** Square to quadrilateral (Heckbert 1989), scaled to pixels of the result. */
function projection([a, b, c, d]: Corners, width: number, height: number): Projection {
  const sumX = a[0] - b[0] + c[0] - d[0]
  const sumY = a[1] - b[1] + c[1] - d[1]
  const dx1 = b[0] - c[0]
  const dx2 = d[0] - c[0]
  const dy1 = b[1] - c[1]
  const dy2 = d[1] - c[1]
  const determinant = dx1 * dy2 - dx2 * dy1 || 1
  const m = (sumX * dy2 - dx2 * sumY) / determinant
  const n = (dx1 * sumY - sumX * dy1) / determinant
  return [
    (b[0] - a[0] + m * b[0]) / width,
    (d[0] - a[0] + n * d[0]) / height,
    a[0],
    (b[1] - a[1] + m * b[1]) / width,
    (d[1] - a[1] + n * d[1]) / height,
    a[1],
    m / width,
    n / height,
  ]
}

/** Bilinear; white outside. */
function resample(
  source: Raster,
  width: number,
  height: number,
  from: (x: number, y: number) => [number, number],
): Raster {
  const { data } = source
  const result = new Uint8Array(width * height).fill(255)
  const maxX = source.width - 1
  const maxY = source.height - 1
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [u, v] = from(x, y)
      if (u < 0 || v < 0 || u >= maxX || v >= maxY) continue
      const column = Math.floor(u)
      const row = Math.floor(v)
      const fx = u - column
      const at = row * source.width + column
      const top = (data[at] ?? 255) * (1 - fx) + (data[at + 1] ?? 255) * fx
      const bottom = (data[at + source.width] ?? 255) * (1 - fx) + (data[at + source.width + 1] ?? 255) * fx
      result[y * width + x] = top + (bottom - top) * (v - row)
    }
  }
  return { data: result, width, height }
}
