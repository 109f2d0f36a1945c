import type { Raster } from '../pages/pdf-raster.ts'

export type Point = readonly [x: number, y: number]
/** Top left, top right, bottom right, bottom left, in pixels. */
export type Corners = readonly [Point, Point, Point, Point]

const side = 320
/** Between the paper and the table, in levels of brightness. */
const differenceMin = 28
const edgeMin = 22
/** Levels below the first threshold that are tried as well. */
const lowerMax = 96
const lowerStep = 8

/**
 * Finds the sheet of paper in a photograph: a bright four-sided area on a darker table. `undefined` when the picture is
 * all paper, when no such area stands out, or when its edges are not straight enough to trust.
 */
export function findSheet(raster: Raster): Corners | undefined {
  const scale = Math.max(1, Math.ceil(Math.max(raster.width, raster.height) / side))
  const small = shrink(raster, scale)
  const grow = (point: Point): Point => [(point[0] + 0.5) * scale, (point[1] + 0.5) * scale]
  const first = otsu(small.data)
  if (first === undefined) return undefined
  // where a shadow lies across the sheet, the first threshold parts light from shadow, a lower one shadow from table
  for (let threshold = first; threshold > first - lowerMax; threshold -= lowerStep) {
    const mask = largestArea(small, threshold)
    const share = mask.count / (small.width * small.height)
    if (share > 0.93) return undefined
    if (share < 0.25) continue
    const corners = extremeCorners(mask.inside, small.width, small.height)
    const filled = mask.count / Math.max(1, quadArea(corners))
    if (filled < 0.9 || filled > 1.06 || !isConvexSheet(corners) || !hasHardEdges(small, corners)) continue
    const [a, b, c, d] = withDarkEdges(small, corners, threshold)
    return [grow(a), grow(b), grow(c), grow(d)]
  }
  return undefined
}

/** A letterhead on a filled band is at most this share of the sheet. */
const bandMax = 0.25
const samples = 80

/**
 * A dark band along an edge of the sheet looks like the table beyond it. Light print on it tells that it is a part of
 * the sheet: each side moves outwards as far as such print is found, and by the print's own margin.
 */
function withDarkEdges(small: Raster, corners: Corners, threshold: number): Corners {
  let [a, b, c, d] = corners
  const height = Math.hypot(a[0] - d[0], a[1] - d[1])
  const width = Math.hypot(a[0] - b[0], a[1] - b[1])
  const out = (from: Point, to: Point, by: number): Point => {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1
    return [to[0] + ((to[0] - from[0]) * by) / length, to[1] + ((to[1] - from[1]) * by) / length]
  }
  const reach = (one: [Point, Point], other: [Point, Point], most: number): number =>
    printBeyond(small, threshold, most, (by) => [out(...one, by), out(...other, by)])
  const up = reach([d, a], [c, b], bandMax * height)
  const down = reach([a, d], [b, c], bandMax * height)
  ;[a, b, c, d] = [out(d, a, up), out(c, b, up), out(b, c, down), out(a, d, down)]
  const left = reach([b, a], [c, d], bandMax * width)
  const right = reach([a, b], [d, c], bandMax * width)
  return [out(b, a, left), out(a, b, right), out(d, c, right), out(c, d, left)]
}

/** How far beyond an edge the band goes on, in pixels; 0 where no print is found on it. */
function printBeyond(
  { data, width, height }: Raster,
  threshold: number,
  most: number,
  edge: (by: number) => [Point, Point],
): number {
  let first = 0
  let last = 0
  let rows = 0
  for (let by = 2; by <= most; by += 1) {
    const [[x0, y0], [x1, y1]] = edge(by)
    let bright = 0
    let inside = 0
    for (let step = 2; step <= samples - 2; step += 1) {
      const x = Math.round(x0 + ((x1 - x0) * step) / samples)
      const y = Math.round(y0 + ((y1 - y0) * step) / samples)
      if (x < 0 || y < 0 || x >= width || y >= height) continue
      inside += 1
      if ((data[y * width + x] ?? 0) > threshold) bright += 1
    }
    if (inside < samples / 2) break
    if (bright < 2 || bright > 0.7 * inside) continue
    if (first === 0) first = by
    last = by
    rows += 1
  }
  return rows < 2 ? 0 : last + Math.min(first, 8)
}

/** The brightest pixel of each square: text vanishes, the sheet stays. */
function shrink({ data, width, height }: Raster, scale: number): Raster {
  const w = Math.floor(width / scale)
  const h = Math.floor(height / scale)
  const result = new Uint8Array(w * h)
  for (let y = 0; y < h; y += 1) {
    for (let x = 0; x < w; x += 1) {
      let brightest = 0
      for (let dy = 0; dy < scale; dy += 2) {
        for (let dx = 0; dx < scale; dx += 2) {
          const value = data[(y * scale + dy) * width + x * scale + dx] ?? 0
          if (value > brightest) brightest = value
        }
      }
      result[y * w + x] = brightest
    }
  }
  return { data: result, width: w, height: h }
}

/** The brightness that best parts two groups; `undefined` when they hardly differ. */
function otsu(data: Uint8Array): number | undefined {
  const histogram = new Float64Array(256)
  for (const value of data) histogram[value] = (histogram[value] ?? 0) + 1
  let total = 0
  histogram.forEach((count, value) => {
    total += count * value
  })
  let below = 0
  let belowSum = 0
  let best = 0
  let bestAt: number | undefined
  for (let value = 0; value < 256; value += 1) {
    below += histogram[value] ?? 0
    belowSum += (histogram[value] ?? 0) * value
    const above = data.length - below
    if (below === 0 || above === 0) continue
    const difference = (total - belowSum) / above - belowSum / below
    const between = below * above * difference * difference
    if (between > best) {
      best = between
      bestAt = difference > differenceMin ? value : undefined
    }
  }
  return bestAt
}

function largestArea({ data, width, height }: Raster, threshold: number): { inside: Uint8Array; count: number } {
  const label = new Int32Array(width * height)
  const stack: number[] = []
  let best = { name: 0, count: 0 }
  let name = 0
  for (let seed = 0; seed < data.length; seed += 1) {
    if ((data[seed] ?? 0) <= threshold || label[seed] !== 0) continue
    name += 1
    let count = 0
    label[seed] = name
    stack.push(seed)
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      count += 1
      const x = at % width
      const neighbours = [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]
      for (const next of neighbours) {
        if (next < 0 || next >= data.length || label[next] !== 0 || (data[next] ?? 0) <= threshold) continue
        label[next] = name
        stack.push(next)
      }
    }
    if (count > best.count) best = { name, count }
  }
  return { inside: fillRows(label, best.name, width, height), count: best.count }
}

function fillRows(label: Int32Array, name: number, width: number, height: number): Uint8Array {
  const inside = new Uint8Array(width * height)
  for (let at = 0; at < inside.length; at += 1) inside[at] = label[at] === name ? 1 : 0
  return inside
}

function extremeCorners(inside: Uint8Array, width: number, height: number): Corners {
  const extremes = [
    { score: Number.POSITIVE_INFINITY, point: [0, 0] as Point },
    { score: Number.NEGATIVE_INFINITY, point: [width, 0] as Point },
    { score: Number.NEGATIVE_INFINITY, point: [width, height] as Point },
    { score: Number.POSITIVE_INFINITY, point: [0, height] as Point },
  ] as const
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (inside[y * width + x] !== 1) continue
      if (x + y < extremes[0].score) Object.assign(extremes[0], { score: x + y, point: [x, y] })
      if (x - y > extremes[1].score) Object.assign(extremes[1], { score: x - y, point: [x, y] })
      if (x + y > extremes[2].score) Object.assign(extremes[2], { score: x + y, point: [x, y] })
      if (x - y < extremes[3].score) Object.assign(extremes[3], { score: x - y, point: [x, y] })
    }
  }
  return [extremes[0].point, extremes[1].point, extremes[2].point, extremes[3].point]
}

function quadArea(corners: Corners): number {
  let twice = 0
  corners.forEach(([x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % 4] ?? [0, 0]
    twice += x * nextY - nextX * y
  })
  return Math.abs(twice) / 2
}

/** A sheet ends at once; the edge of a shadow does not. Sides along the picture's own border say nothing. */
function hasHardEdges({ data, width, height }: Raster, corners: Corners): boolean {
  const middleX = corners.reduce((sum, [x]) => sum + x, 0) / 4
  const middleY = corners.reduce((sum, [, y]) => sum + y, 0) / 4
  let hard = 0
  let seen = 0
  corners.forEach(([x0, y0], index) => {
    const [x1, y1] = corners[(index + 1) % 4] ?? [x0, y0]
    for (let step = 2; step <= 18; step += 1) {
      const x = x0 + ((x1 - x0) * step) / 20
      const y = y0 + ((y1 - y0) * step) / 20
      const away = Math.hypot(x - middleX, y - middleY) || 1
      const [dx, dy] = [(5 * (x - middleX)) / away, (5 * (y - middleY)) / away]
      const [outX, outY] = [Math.round(x + dx), Math.round(y + dy)]
      if (outX < 0 || outY < 0 || outX >= width || outY >= height) continue
      const inside = data[Math.round(y - dy) * width + Math.round(x - dx)] ?? 0
      seen += 1
      if (inside - (data[outY * width + outX] ?? 0) > edgeMin) hard += 1
    }
  })
  return seen >= 12 && hard > 0.8 * seen
}

/** Opposite sides of a sheet differ by less than a third, and no corner is sharp. */
function isConvexSheet([a, b, c, d]: Corners): boolean {
  const length = ([x0, y0]: Point, [x1, y1]: Point): number => Math.hypot(x1 - x0, y1 - y0)
  const alike = (one: number, other: number): boolean => Math.min(one, other) > 0.67 * Math.max(one, other)
  if (!alike(length(a, b), length(d, c)) || !alike(length(a, d), length(b, c))) return false
  return [
    [d, a, b],
    [a, b, c],
    [b, c, d],
    [c, d, a],
  ].every(([from, at, to]) => {
    if (from === undefined || at === undefined || to === undefined) return false
    const [ux, uy] = [from[0] - at[0], from[1] - at[1]]
    const [vx, vy] = [to[0] - at[0], to[1] - at[1]]
    const cosine = (ux * vx + uy * vy) / (Math.hypot(ux, uy) * Math.hypot(vx, vy) || 1)
    return Math.abs(cosine) < 0.4
  })
}
