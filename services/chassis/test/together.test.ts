import { expect, test } from 'vitest'
import { together } from '../src/together.ts'

test('calls that come at the same time share one piece of work, and those that come meanwhile the next', async () => {
  const groups: number[][] = []
  const double = together<number, number>(3, async (inputs) => {
    groups.push([...inputs])
    if (groups.length === 1) late = double(9)
    return inputs.map((input) => input * 2)
  })
  let late: Promise<number> | undefined
  expect(await Promise.all([1, 2, 3, 4].map(double))).toEqual([2, 4, 6, 8])
  expect(await late).toBe(18)
  expect(groups).toEqual([
    [1, 2, 3],
    [4, 9],
  ])
  expect(await double(5)).toBe(10)
})

test('a call fails for its own fault only', async () => {
  const attempts: number[][] = []
  const odd = together<number, number>(10, async (inputs) => {
    attempts.push([...inputs])
    if (inputs.includes(2)) throw new Error('two')
    return inputs
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map(odd))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(attempts).toEqual([[1, 2, 3], [1], [2], [3]])
})

test('calls that nobody waits for gather for a while, or until there are enough', async () => {
  const groups: number[][] = []
  const note = together<number, number>(
    3,
    async (inputs) => {
      groups.push([...inputs])
      return inputs
    },
    { gatherMs: 60_000 },
  )
  const first = note(1)
  await new Promise(setImmediate)
  expect(groups).toEqual([])
  expect(await Promise.all([first, note(2), note(3)])).toEqual([1, 2, 3])
  const soon = together<number, number>(3, async (inputs) => inputs, { gatherMs: 20 })
  expect(await soon(4)).toBe(4)
  expect(groups).toEqual([[1, 2, 3]])
})
