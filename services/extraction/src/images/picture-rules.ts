import type { Rule } from '../domain/page.ts'
import type { Raster } from '../pages/pdf-raster.ts'

const sideMax = 900
const darkMax = 150
/** Shortest rule as a share of the side it runs along. */
const lengthMin = 0.06
const gapMax = 1
/** Rows this far to both sides of a rule are light, those of a line of text are not. */
const clearance = 3
const darkShareMax = 0.2

/** Finds long dark horizontal and vertical lines in an evenly lit, deskewed picture. */
export function findRules(raster: Raster): Rule[] {
  const scale = Math.max(1, Math.ceil(Math.max(raster.width, raster.height) / sideMax))
  const width = Math.floor(raster.width / scale)
  const height = Math.floor(raster.height / scale)
  const dark = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let darkest = 255
      for (let dy = 0; dy < scale; dy += 1) {
        const from = (y * scale + dy) * raster.width + x * scale
        for (let dx = 0; dx < scale; dx += 1) {
          const value = raster.data[from + dx] ?? 255
          if (value < darkest) darkest = value
        }
      }
      if (darkest < darkMax) dark[y * width + x] = 1
    }
  }
  const rules: Rule[] = []
  scan({ dark, lines: height, length: width, lineStep: width, step: 1 }, (line, from, to) => {
    rules.push({
      x0: from / width,
      x1: to / width,
      y0: (line + 0.5) / height,
      y1: (line + 0.5) / height,
      direction: 'horizontal',
    })
  })
  scan({ dark, lines: width, length: height, lineStep: 1, step: width }, (line, from, to) => {
    rules.push({
      x0: (line + 0.5) / width,
      x1: (line + 0.5) / width,
      y0: from / height,
      y1: to / height,
      direction: 'vertical',
    })
  })
  return mergeNeighbours(rules, 2.5 / Math.min(width, height))
}

interface Scan {
  dark: Uint8Array
  lines: number
  length: number
  lineStep: number
  step: number
}

function scan(
  { dark, lines, length, lineStep, step }: Scan,
  found: (line: number, from: number, to: number) => void,
): void {
  const shortest = length * lengthMin
  const darkShare = (line: number, from: number, to: number): number => {
    if (line < 0 || line >= lines) return 0
    let count = 0
    for (let at = from; at < to; at += 1) count += dark[line * lineStep + at * step] ?? 0
    return count / (to - from)
  }
  const report = (line: number, from: number, to: number): void => {
    const before = darkShare(line - clearance, from, to)
    const after = darkShare(line + clearance, from, to)
    // One side may be dark: the edge of a filled area.
    if (
      Math.min(before, after) < darkShareMax &&
      (Math.max(before, after) < darkShareMax || Math.max(before, after) > 0.9)
    ) {
      found(line, from, to)
    }
  }
  for (let line = 0; line < lines; line += 1) {
    let start = -1
    let last = -1
    for (let at = 0; at <= length; at += 1) {
      const isDark = at < length && dark[line * lineStep + at * step] === 1
      if (isDark) {
        if (start < 0) start = at
        last = at
      } else if (start >= 0 && at - last > gapMax) {
        if (last - start >= shortest) report(line, start, last + 1)
        start = -1
      }
    }
    if (start >= 0 && last - start >= shortest) report(line, start, last + 1)
  }
}

/** A thick line shows in several rows of pixels: one remains. Filled areas yield their first and last row only. */
function mergeNeighbours(rules: readonly Rule[], reach: number): Rule[] {
  const kept: Rule[] = []
  for (const rule of rules) {
    const twin = kept.findLast((other) => {
      if (other.direction !== rule.direction) return false
      const [near, overlap] =
        rule.direction === 'horizontal'
          ? [Math.abs(other.y1 - rule.y0) < reach, other.x0 < rule.x1 && rule.x0 < other.x1]
          : [Math.abs(other.x1 - rule.x0) < reach, other.y0 < rule.y1 && rule.y0 < other.y1]
      return near && overlap
    })
    if (twin === undefined) kept.push({ ...rule })
    else if (rule.direction === 'horizontal') {
      twin.x0 = Math.min(twin.x0, rule.x0)
      twin.x1 = Math.max(twin.x1, rule.x1)
    } else {
      twin.y0 = Math.min(twin.y0, rule.y0)
      twin.y1 = Math.max(twin.y1, rule.y1)
    }
  }
  return kept.slice(0, 500).map((rule) => ({ ...rule, ...rounded(rule) }))
}

function rounded({ x0, y0, x1, y1 }: Rule): Pick<Rule, 'x0' | 'y0' | 'x1' | 'y1'> {
  const round = (value: number): number => Math.round(value * 1e5) / 1e5
  return { x0: round(x0), y0: round(y0), x1: round(x1), y1: round(y1) }
}
