import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { featureCount, features } from './features.ts'

/** Weights that `tools/train-classifier.ts` learned: per feature one for each account, at last the biases; times `scale`. */
export interface LearnedModel {
  accounts: readonly string[]
  scale: number
  weights: Int8Array
}

const head = z.object({ featureCount: z.literal(featureCount), scale: z.number(), accounts: z.string() })

let loaded: LearnedModel | undefined

/** The weights that come with the service; read once. */
export function learnedModel(): LearnedModel {
  loaded ??= readModel()
  return loaded
}

function readModel(): LearnedModel {
  const file = (name: string) => readFileSync(new URL(`../../data/${name}`, import.meta.url))
  const { accounts, scale } = head.parse(JSON.parse(file('purchase-model.json').toString()))
  const bytes = file('purchase-model.bin')
  return {
    accounts: accounts.split(' '),
    scale,
    weights: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  }
}

/** What the learned model is asked about. `totalCents` is signed; null where unknown. */
export interface Described {
  vendorName: string
  lines: readonly string[]
  totalCents: number | null
}

/** The chance of each account by words and amount; they add up to 1. Empty where there are no words. */
export function learnedChances(described: Described, model: LearnedModel): Map<string, number> {
  const places = features(described.vendorName, described.lines, described.totalCents)
  if (places.length === 0) return new Map()
  const count = model.accounts.length
  const totals = new Int32Array(count)
  for (const place of places) {
    const from = place * count
    for (let account = 0; account < count; account += 1)
      totals[account] = (totals[account] ?? 0) + (model.weights[from + account] ?? 0)
  }
  const factor = model.scale / Math.sqrt(places.length)
  const sums = model.accounts.map((account, index) => {
    const bias = (model.weights[featureCount * count + index] ?? 0) * model.scale
    return { account, sum: bias + (totals[index] ?? 0) * factor }
  })
  const top = Math.max(...sums.map(({ sum }) => sum))
  const powers = sums.map(({ account, sum }) => ({ account, power: Math.exp(sum - top) }))
  const total = powers.reduce((all, { power }) => all + power, 0)
  return new Map(powers.map(({ account, power }) => [account, power / total]))
}
