import { type HeaderField, headerFields, isRight, matchLines, type Prediction, type Truth, wilson } from './compare.ts'

interface Counts {
  documents: number
  fields: Map<HeaderField, [hits: number, count: number]>
  lines: { matched: number; strict: number; truth: number; predicted: number }
  sure: { given: number; sure: number; wrong: number }
  planted: Map<string, [found: number, count: number]>
  falseAlarms: number
  ms: number
}
export interface Tally extends Counts {
  baseline: Counts
}

const emptyCounts = (): Counts => ({
  documents: 0,
  fields: new Map(headerFields.map((field) => [field, [0, 0]])),
  lines: { matched: 0, strict: 0, truth: 0, predicted: 0 },
  sure: { given: 0, sure: 0, wrong: 0 },
  planted: new Map(),
  falseAlarms: 0,
  ms: 0,
})
export const emptyTally = (): Tally => ({ ...emptyCounts(), baseline: emptyCounts() })

interface Measured {
  truth: Truth
  prediction: Prediction
  ms: number
}

/** Adds a document to a tally and returns what was wrong with it. A document with a planted error counts for that only. */
export function tallyDocument(tally: Counts, { truth, prediction, ms }: Measured): string[] {
  const alarm = prediction.warnings?.some((warning) => warning.code === 'amounts_mismatch') ?? false
  const planted = truth._meta.planted
  if (planted !== undefined) {
    const [found, count] = tally.planted.get(planted.kind) ?? [0, 0]
    tally.planted.set(planted.kind, [found + Number(alarm), count + 1])
    return alarm ? [] : [`planted ${planted.kind} not found`]
  }
  tally.documents += 1
  tally.falseAlarms += Number(alarm)
  tally.ms += ms
  const failures: string[] = []
  for (const field of headerFields) {
    if (truth[field] === undefined) continue
    const right = isRight(field, truth, prediction)
    const cell = tally.fields.get(field)
    if (cell !== undefined) {
      cell[0] += Number(right)
      cell[1] += 1
    }
    if (!right) failures.push(`${field}: ${truth[field]} <> ${prediction[field] ?? null}`)
    const confidence = prediction.field_evidence?.[field]?.confidence ?? prediction.confidence_score ?? 0
    if (prediction[field] === null || prediction[field] === undefined) continue
    tally.sure.given += 1
    if (confidence < 0.9) continue
    tally.sure.sure += 1
    tally.sure.wrong += Number(!right)
  }
  const lines = matchLines(truth, prediction)
  for (const key of ['matched', 'strict', 'truth', 'predicted'] as const) tally.lines[key] += lines[key]
  return failures
}

export function printTally(name: string, tally: Tally): void {
  const out: string[] = ['', `${name}: ${tally.documents} documents`]
  const row = (label: string, hits: number, count: number, plain?: [number, number]) => {
    if (count === 0) return
    const [low, high] = wilson(hits, count)
    const other = plain === undefined || plain[1] === 0 ? '' : `   baseline ${percent(plain[0], plain[1])}`
    out.push(
      `  ${label.padEnd(22)}${percent(hits, count)}  [${low.toFixed(1).padStart(5)}, ${high.toFixed(1).padStart(5)}]${other}`,
    )
  }
  const summed = (counts: Counts): [number, number] =>
    [...counts.fields.values()].reduce<[number, number]>(([a, b], [hits, count]) => [a + hits, b + count], [0, 0])
  for (const [field, [hits, count]] of tally.fields) row(field, hits, count, tally.baseline.fields.get(field))
  row('HEADER (micro)', ...summed(tally), summed(tally.baseline))
  const { matched, strict, truth, predicted } = tally.lines
  row('line items F1', 2 * matched, truth + predicted)
  row('  with price, quantity', 2 * strict, truth + predicted)
  row('given with >= 0.9', tally.sure.sure, tally.sure.given)
  row('  of them wrong', tally.sure.wrong, tally.sure.sure)
  row('false alarms', tally.falseAlarms, tally.documents)
  for (const [kind, [found, count]] of tally.planted) row(`planted ${kind} found`, found, count)
  out.push(`  milliseconds a document: ${(tally.ms / Math.max(1, tally.documents)).toFixed(1)}`)
  process.stdout.write(`${out.join('\n')}\n`)
}

const percent = (hits: number, count: number): string => `${((100 * hits) / count).toFixed(2).padStart(6)} %`
