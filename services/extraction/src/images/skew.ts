import type { InkMap } from './ink.ts'

const angleMax = 9
const pointsMax = 16_000
/** Runs of ink longer than this are no letters. */
const ruleMin = 40

/** How sharply lines of text stand apart when rows are summed at an angle; and the same for columns. */
interface Profile {
  angle: number
  score: number
}

export interface Tilt {
  /** Degrees, clockwise positive, by which the lines of an upright page run downhill; turn by the negative. */
  skewDegrees: number
  /** The same for a page whose text runs up or down. */
  sidewaysSkewDegrees: number
  /** True when the text seems to run up or down the page; to be confirmed by reading. */
  sideways: boolean
}

/** A portrait page is nearly always upright; a landscape one may well be a portrait page that lies on its side. */
const sidewaysFactor = { portrait: 2.2, landscape: 1.1 } as const

/** Finds the angle at which text lines are horizontal, and whether they run across the page at all. */
export function measureTilt(map: InkMap): Tilt {
  const points = samplePoints(map)
  if (points.length < 400) return { skewDegrees: 0, sidewaysSkewDegrees: 0, sideways: false }
  const upright = bestAngle(points, map.width, map.height, false)
  const turned = bestAngle(points, map.width, map.height, true)
  const factor = map.height >= map.width ? sidewaysFactor.portrait : sidewaysFactor.landscape
  return {
    skewDegrees: upright.angle,
    sidewaysSkewDegrees: turned.angle,
    sideways: turned.score > upright.score * factor,
  }
}

/** Ink pixels as x,y pairs; solid areas and the insides of long rules are left out, since they say little about text. */
function samplePoints({ ink, width, height }: InkMap): Int32Array {
  const points: number[] = []
  const down = new Uint16Array(width)
  for (let y = 1; y < height - 1; y += 1) {
    let across = 0
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x
      if (ink[at] !== 1) {
        across = 0
        down[x] = 0
        continue
      }
      across += 1
      down[x] = (down[x] ?? 0) + 1
      const solid = (ink[at - 1] ?? 0) + (ink[at + 1] ?? 0) + (ink[at - width] ?? 0) + (ink[at + width] ?? 0) === 4
      if (!solid && across < ruleMin && (down[x] ?? 0) < ruleMin) points.push(x, y)
    }
  }
  const count = points.length / 2
  if (count <= pointsMax) return Int32Array.from(points)
  const kept = new Int32Array(pointsMax * 2)
  const step = count / pointsMax
  for (let index = 0; index < pointsMax; index += 1) {
    const from = Math.floor(index * step) * 2
    kept[index * 2] = points[from] ?? 0
    kept[index * 2 + 1] = points[from + 1] ?? 0
  }
  return kept
}

function bestAngle(points: Int32Array, width: number, height: number, swap: boolean): Profile {
  const profile = (angle: number): Profile => ({ angle, score: sharpness(points, width, height, angle, swap) })
  let best = profile(0)
  const improve = (from: number, to: number, step: number): void => {
    for (let angle = from; angle <= to + 1e-9; angle += step) {
      const next = profile(angle)
      if (next.score > best.score) best = next
    }
  }
  improve(-angleMax, angleMax, 0.75)
  improve(best.angle - 0.6, best.angle + 0.6, 0.15)
  improve(best.angle - 0.1, best.angle + 0.1, 0.05)
  return best
}

/** Sum of squared differences of neighbouring row sums: largest where rows of text and gaps are cleanly apart. */
function sharpness(points: Int32Array, width: number, height: number, angle: number, swap: boolean): number {
  const slope = Math.tan((angle * Math.PI) / 180)
  const length = swap ? width : height
  const across = swap ? height : width
  const margin = Math.ceil(Math.abs(slope) * across) + 2
  const sums = new Float64Array(length + 2 * margin)
  for (let index = 0; index < points.length; index += 2) {
    const x = points[index] ?? 0
    const y = points[index + 1] ?? 0
    const row = swap ? x + slope * y : y - slope * x
    const at = Math.round(row) + margin
    sums[at] = (sums[at] ?? 0) + 1
  }
  let score = 0
  for (let at = 1; at < sums.length; at += 1) {
    const difference = (sums[at] ?? 0) - (sums[at - 1] ?? 0)
    score += difference * difference
  }
  return score
}
