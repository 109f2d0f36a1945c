import { expect, test } from 'vitest'
import { shareReadings } from '../src/share-readings.ts'

/** A thing that changes between readings, whose reading ends when the test says so. */
function thing() {
  const begun: { name: string; end: () => void; fail: () => void }[] = []
  let state = 0
  const read = (name: string) =>
    new Promise<number>((resolve, reject) => {
      const seen = state
      begun.push({ name, end: () => resolve(seen), fail: () => reject(new Error('away')) })
    })
  return { begun, change: () => ++state, shared: shareReadings(read, (name: string) => name) }
}

test('calls that come together make two readings at most, of different things they do not share', async () => {
  const { begun, shared } = thing()
  const answers = Promise.all([...Array.from({ length: 8 }, () => shared('a', null)), shared('b', null)])
  expect(begun.map(({ name }) => name)).toEqual(['a', 'b'])
  for (const { end } of begun) end()
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.end()
  expect(await answers).toEqual(Array(9).fill(0))
  expect(begun.map(({ name }) => name)).toEqual(['a', 'b', 'a'])
})

test('a call is never given a reading that began before it', async () => {
  const { begun, change, shared } = thing()
  const first = shared('a', null)
  await expect.poll(() => begun.length).toBe(1)
  change()
  const second = shared('a', null)
  const third = shared('a', null)
  begun[0]?.end()
  await expect.poll(() => begun.length).toBe(2)
  change()
  const fourth = shared('a', null)
  begun[1]?.end()
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.end()
  expect(await Promise.all([first, second, third, fourth])).toEqual([0, 1, 1, 2])
})

test('a failure is given to those who shared it; the next call reads anew', async () => {
  const { begun, shared } = thing()
  const first = shared('a', null)
  await expect.poll(() => begun.length).toBe(1)
  const second = shared('a', null)
  begun[0]?.fail()
  await expect(first).rejects.toThrow('away')
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.end()
  expect(await second).toBe(0)
  const third = shared('a', null)
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.end()
  expect(await third).toBe(0)
})
