import { readFileSync, writeFileSync } from 'node:fs'
import { featureCount, features } from '../src/domain/pgc/features.ts'
import { blindSet } from './measure-classifier.ts'

interface Sample {
  account: string
  places: Uint16Array
  weight: number
}

export interface Trained {
  accounts: string[]
  /** Per account one bias and then one weight per feature. */
  weights: Float32Array
}

const lexicons = ['expense', 'services', 'goods', 'more', 'trades']

/** The purchases of the named files, and every phrase of the lexicon as a small purchase of its own. */
export function corpus(files?: readonly string[], phraseWeight = 0.3): Sample[] {
  const purchases = blindSet(files).map(({ account, vendorName, lines }) => ({
    account,
    places: features(vendorName, lines),
    weight: 1,
  }))
  return [...purchases, ...lexicons.flatMap((name) => phrases(name, phraseWeight))]
}

function phrases(name: string, weight: number): Sample[] {
  const samples: Sample[] = []
  let account = ''
  const text = readFileSync(new URL(`../src/data/lexicon-${name}.txt`, import.meta.url), 'utf8')
  for (const line of text.split('\n')) {
    const header = /^@(\d+)/.exec(line)
    if (header !== null) account = header[1] ?? ''
    const entry = /^([vna]): (.*)$/.exec(line)
    if (entry === null) continue
    for (const phrase of (entry[2] ?? '').split(',').map((part) => part.trim())) {
      const places = entry[1] === 'a' ? features('', [phrase]) : features(phrase, [])
      if (places.length > 0) samples.push({ account, places, weight })
    }
  }
  return samples
}

/** All sets but the last, which stays a measure of what was never learned from. */
const learnedFrom = (): string[] => [
  ...Array.from({ length: 10 }, (_, index) => `purchases-${index + 1}.txt`),
  'unseen/a.txt',
  'unseen/b.txt',
  'unseen/c.txt',
]

/** Softmax regression by AdaGrad with a little weight decay; the same samples always yield the same weights. */
export function train(samples: readonly Sample[], epochs = 14, decay = 2e-6): Trained {
  const accounts = [...new Set(samples.map((sample) => sample.account))].sort()
  const width = featureCount + 1
  const weights = new Float32Array(accounts.length * width)
  const squares = new Float32Array(accounts.length * width).fill(0.05)
  const chances = new Float64Array(accounts.length)
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
      if (sample !== undefined) step({ weights, squares, chances, accounts, width, decay }, sample)
    }
  }
  return { accounts, weights }
}

interface State extends Trained {
  squares: Float32Array
  chances: Float64Array
  width: number
  decay: number
}

function step({ weights, squares, chances, accounts, width, decay }: State, sample: Sample): void {
  const norm = 1 / Math.sqrt(sample.places.length)
  let top = -Infinity
  for (let a = 0; a < accounts.length; a += 1) {
    let sum = weights[a * width] ?? 0
    for (const place of sample.places) sum += (weights[a * width + 1 + place] ?? 0) * norm
    chances[a] = sum
    top = Math.max(top, sum)
  }
  let total = 0
  for (let a = 0; a < accounts.length; a += 1) total += chances[a] = Math.exp((chances[a] ?? 0) - top)
  for (let a = 0; a < accounts.length; a += 1) {
    const error = ((chances[a] ?? 0) / total - (accounts[a] === sample.account ? 1 : 0)) * sample.weight
    if (Math.abs(error) < 1e-4) continue
    const learn = (at: number, slope: number) => {
      squares[at] = (squares[at] ?? 0) + slope * slope
      weights[at] = (weights[at] ?? 0) * (1 - decay) - (0.5 * slope) / Math.sqrt(squares[at] ?? 1)
    }
    learn(a * width, error)
    for (const place of sample.places) learn(a * width + 1 + place, error * norm)
  }
}

if (process.argv[1]?.endsWith('train-classifier.ts')) {
  const files = process.argv.slice(2)
  const { accounts, weights } = train(corpus(files.length > 0 ? files : learnedFrom()))
  let most = 0
  for (const weight of weights) most = Math.max(most, Math.abs(weight))
  const scale = most / 127
  const bytes = Int8Array.from(weights, (weight) => Math.round(weight / scale))
  writeFileSync(new URL('../src/data/purchase-model.bin', import.meta.url), bytes)
  writeFileSync(
    new URL('../src/data/purchase-model.json', import.meta.url),
    `${JSON.stringify({ featureCount, scale, accounts: accounts.join(' ') }, null, 2)}\n`,
  )
}
