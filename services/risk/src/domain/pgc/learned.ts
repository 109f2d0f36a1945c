import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { featureCount, features } from './features.ts'

/** Weights that `tools/train-classifier.ts` learned: per account one bias, then one weight per feature, times `scale`. */
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

/** The chance of each account by the words of a purchase; they add up to 1. Empty where there are no words. */
export function learnedChances(vendorName: string, lines: readonly string[], model: LearnedModel): Map<string, number> {
  const places = features(vendorName, lines)
  if (places.length === 0) return new Map()
  const factor = model.scale / Math.sqrt(places.length)
  const sums = model.accounts.map((account, index) => {
    const from = index * (featureCount + 1)
    let sum = 0
    for (const place of places) sum += model.weights[from + 1 + place] ?? 0
    return { account, sum: (model.weights[from] ?? 0) * model.scale + sum * factor }
  })
  const top = Math.max(...sums.map(({ sum }) => sum))
  const powers = sums.map(({ account, sum }) => ({ account, power: Math.exp(sum - top) }))
  const total = powers.reduce((all, { power }) => all + power, 0)
  return new Map(powers.map(({ account, power }) => [account, power / total]))
}
