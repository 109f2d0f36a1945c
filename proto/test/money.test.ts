import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  apportion,
  cents,
  euros,
  eurosText,
  hasAtMostDecimals,
  percentOf,
  scaled,
  scaledText,
  timesToCents,
} from '../src/money.ts'

describe('money', () => {
  test.each([
    [1.005, 101],
    ['1.004', 100],
    ['-1.005', -101],
    [1e-7, 0],
    ['.5', 50],
    [1e15 / 1000, 1e14],
  ])('%s euros are %s cents', (value, expected) => {
    expect(cents(value)).toBe(expected)
  })

  test.each(['', '.', 'abc', '1,5', 'NaN', 'Infinity', '1e400'])('%j is refused', (value) => {
    expect(() => cents(value)).toThrow(RangeError)
  })

  test('a product is rounded once, half away from zero', () => {
    expect(timesToCents('1.5', '0.33')).toBe(50)
    expect(timesToCents('-1.5', '0.33')).toBe(-50)
    expect(percentOf(40370, 21)).toBe(8478)
    expect(percentOf(100, '5.2')).toBe(5)
  })

  test('decimals are counted on the written number', () => {
    expect(hasAtMostDecimals(0.1, 2)).toBe(true)
    expect(hasAtMostDecimals(0.123, 2)).toBe(false)
  })

  test('euros and text agree with cents for every amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (amount) => {
        expect(cents(euros(amount))).toBe(amount)
        expect(cents(eurosText(amount))).toBe(amount)
      }),
    )
  })

  test('printing and reading a decimal is the identity', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (value) => {
        expect(scaled(scaledText(value))).toBe(value)
      }),
    )
  })

  test('the parts of an apportioned amount add up to it and keep the order of the weights', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1, maxLength: 20 }),
        (amount, weights) => {
          const parts = apportion(amount, weights)
          expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount)
        },
      ),
    )
  })
})
