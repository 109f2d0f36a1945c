import { readdirSync, readFileSync } from 'node:fs'
import { classify } from '../src/domain/pgc/classify.ts'

/** One purchase of the blind set: `account|vendor|line;line|total`. */
export interface LabelledPurchase {
  account: string
  vendorName: string
  lines: string[]
  totalCents: number
}

const folder = new URL('../test/blind/', import.meta.url)

/** Written and committed before they were measured, and never learned from. */
export const heldBack = ['unseen/d.txt', 'unseen/e.txt', 'unseen/f.txt']

/** Every file of purchases that the learned model knows. */
export const learnedFrom = (): string[] =>
  ['', 'unseen/']
    .flatMap((below) => readdirSync(new URL(below, folder)).map((name) => `${below}${name}`))
    .filter((name) => name.endsWith('.txt') && !heldBack.includes(name))
    .sort()

/** Reads the blind set, in the order of its files; or the files named, relative to it (`unseen/a.txt`). */
export function blindSet(files?: readonly string[]): LabelledPurchase[] {
  const names =
    files ??
    readdirSync(folder)
      .filter((name) => name.endsWith('.txt'))
      .sort()
  return names
    .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').trim().split('\n'))
    .map((row) => {
      const [account = '', vendorName = '', lines = '', total = '0'] = row.split('|')
      return { account, vendorName, lines: lines.split(';'), totalCents: Math.round(Number(total) * 100) }
    })
}

/** Shares between 0 and 1; `highShare` is how many answers are 'alta', `highRight` how many of those are right. */
export function measure(purchases: readonly LabelledPurchase[]) {
  const answers = purchases.map((purchase) => ({
    purchase,
    answer: classify({
      vendorName: purchase.vendorName,
      lines: purchase.lines.map((description) => ({ description })),
      totalCents: purchase.totalCents,
    }),
  }))
  const right = answers.filter(({ purchase, answer }) => answer.account === purchase.account)
  const among = answers.filter(({ purchase, answer }) =>
    answer.candidates.slice(0, 3).some((candidate) => candidate.account === purchase.account),
  )
  const high = answers.filter(({ answer }) => answer.confidence === 'alta')
  const highRight = high.filter(({ purchase, answer }) => answer.account === purchase.account)
  return {
    count: answers.length,
    top1: right.length / answers.length,
    top3: among.length / answers.length,
    highShare: high.length / answers.length,
    highRight: highRight.length / Math.max(1, high.length),
    wrong: answers.filter(({ purchase, answer }) => answer.account !== purchase.account),
  }
}

if (process.argv[1]?.endsWith('measure-classifier.ts')) {
  const files = process.argv.slice(2)
  const result = measure(blindSet(files.length > 0 ? files : undefined))
  for (const { purchase, answer } of result.wrong) {
    const candidates = answer.candidates.map((candidate) => `${candidate.account}:${candidate.score}`).join(' ')
    process.stdout.write(
      `${purchase.account} ≠ ${answer.account} ${answer.confidence} [${candidates}] ${purchase.vendorName} | ${purchase.lines.join('; ')} | v:${answer.vendorPhrase} l:${answer.linePhrase}\n`,
    )
  }
  const share = (name: string, part: number) => `${name} ${part.toFixed(4)}`
  const parts = [
    `${result.count} purchases`,
    share('top-1', result.top1),
    share('top-3', result.top3),
    share('alta', result.highShare),
    share('alta right', result.highRight),
  ]
  process.stdout.write(`${parts.join(' · ')}\n`)
}
