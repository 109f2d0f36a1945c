import { writeFileSync } from 'node:fs'
import { featureCount, features } from '../src/domain/pgc/features.ts'
import type { LearnedModel } from '../src/domain/pgc/learned.ts'
import { lexiconText } from '../src/domain/pgc/lexicon.ts'
import { compositions } from './compositions.ts'
import { blindSet, learnedFrom } from './measure-classifier.ts'

interface Sample {
  account: string
  places: Uint16Array
  weight: number
}

/** What a phrase of the lexicon, or one composed of two, counts beside a whole purchase. */
const phraseWeight = 0.3
const epochs = 14
const decay = 2e-6
const firstStep = 0.5

/** The purchases of the named files, every phrase of the lexicon as a small purchase of its own, and compositions. */
export function corpus(files: readonly string[]): Sample[] {
  const purchases = blindSet(files).map(({ account, vendorName, lines, totalCents }) => ({
    account,
    places: features(vendorName, lines, totalCents),
    weight: 1,
  }))
  const phrases = lexiconPhrases()
  const things = phrases.filter(({ account, slot }) => slot === 'a' && /^(21[3-8]|60[12])$/.test(account))
  const said = [
    ...phrases.map(({ account, slot, phrase }) => ({
      account,
      places: slot === 'a' ? features('', [phrase], null) : features(phrase, [], null),
    })),
    ...compositions(things).map(({ account, line }) => ({ account, places: features('', [line], null) })),
  ]
  return [...purchases, ...said.map((sample) => ({ ...sample, weight: phraseWeight }))].filter(
    ({ places }) => places.length > 0,
  )
}

interface Phrase {
  account: string
  slot: string
  phrase: string
}

/** Supporting words (`l`) are left out: they decide nothing. */
function lexiconPhrases(): Phrase[] {
  let account = ''
  return lexiconText()
    .split('\n')
    .flatMap((line) => {
      account = /^@(\d+)/.exec(line)?.[1] ?? account
      const entry = /^([vna]): (.*)$/.exec(line)
      if (entry === null) return []
      return (entry[2] ?? '').split(',').map((phrase) => ({ account, slot: entry[1] ?? '', phrase: phrase.trim() }))
    })
}

/** Weights as they are learned: per place (the last one is the bias) one for each account. */
interface State {
  accounts: readonly string[]
  weights: Float32Array
  squares: Float32Array
  chances: Float64Array
}

/** Softmax regression by AdaGrad with a little weight decay; the same samples always yield the same weights. */
export function train(samples: readonly Sample[]): LearnedModel {
  const accounts = [...new Set(samples.map((sample) => sample.account))].sort()
  const size = accounts.length * (featureCount + 1)
  const state: State = {
    accounts,
    weights: new Float32Array(size),
    squares: new Float32Array(size).fill(0.05),
    chances: new Float64Array(accounts.length),
  }
  let seed = 7
  const order = samples.map((_, index) => index)
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (let index = order.length - 1; index > 0; index -= 1) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
      const other = seed % (index + 1)
      const kept = order[index] ?? 0
      order[index] = order[other] ?? 0
      order[other] = kept
    }
    for (const index of order) {
      const sample = samples[index]
      if (sample !== undefined) step(state, sample)
    }
  }
  return quantized(state)
}

function step({ weights, squares, chances, accounts }: State, sample: Sample): void {
  const count = accounts.length
  const bias = featureCount * count
  const norm = 1 / Math.sqrt(sample.places.length)
  chances.fill(0)
  for (const place of sample.places) {
    const from = place * count
    for (let a = 0; a < count; a += 1) chances[a] = (chances[a] ?? 0) + (weights[from + a] ?? 0)
  }
  let top = -Infinity
  for (let a = 0; a < count; a += 1) {
    chances[a] = (chances[a] ?? 0) * norm + (weights[bias + a] ?? 0)
    top = Math.max(top, chances[a] ?? 0)
  }
  let total = 0
  for (let a = 0; a < count; a += 1) total += chances[a] = Math.exp((chances[a] ?? 0) - top)
  for (let a = 0; a < count; a += 1) {
    const error = ((chances[a] ?? 0) / total - (accounts[a] === sample.account ? 1 : 0)) * sample.weight
    if (Math.abs(error) < 1e-4) continue
    learn(weights, squares, bias + a, error)
    for (const place of sample.places) learn(weights, squares, place * count + a, error * norm)
  }
}

function learn(weights: Float32Array, squares: Float32Array, at: number, slope: number): void {
  const square = (squares[at] ?? 0) + slope * slope
  squares[at] = square
  weights[at] = (weights[at] ?? 0) * (1 - decay) - (firstStep * slope) / Math.sqrt(square)
}

function quantized({ accounts, weights }: State): LearnedModel {
  let most = 0
  for (const weight of weights) most = Math.max(most, Math.abs(weight))
  const scale = most / 127
  return { accounts, scale, weights: Int8Array.from(weights, (weight) => Math.round(weight / scale)) }
}

if (process.argv[1]?.endsWith('train-classifier.ts')) {
  const files = process.argv.slice(2)
  const { accounts, scale, weights } = train(corpus(files.length > 0 ? files : learnedFrom()))
  writeFileSync(new URL('../src/data/purchase-model.bin', import.meta.url), weights)
  writeFileSync(
    new URL('../src/data/purchase-model.json', import.meta.url),
    `${JSON.stringify({ featureCount, scale, accounts: accounts.join(' ') }, null, 2)}\n`,
  )
}
