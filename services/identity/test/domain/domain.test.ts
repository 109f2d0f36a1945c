import { timestamp } from '@asiento/proto/time'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashKey, isKey, keyRandomBytes, makeKey } from '../../src/domain/api-key.ts'
import { acceptAddress, isDisposable, readAddress } from '../../src/domain/email.ts'
import { ledgerAccess, trialEnd } from '../../src/domain/ledger-access.ts'
import { periodEnd, periodOf } from '../../src/domain/period.ts'
import { percentage } from '../../src/domain/quota.ts'
import { accountRule, waitAfter } from '../../src/domain/slow-down.ts'
import { freeSlug, slugOf } from '../../src/domain/slug.ts'

const random = fc
  .uint8Array({ minLength: keyRandomBytes, maxLength: keyRandomBytes })
  .map((bytes) => Buffer.from(bytes))

describe('API keys', () => {
  test('every key has the form of one, begins with fct_ and shows twelve characters again', () => {
    fc.assert(
      fc.property(random, (bytes) => {
        const key = makeKey(bytes)
        expect(isKey(key.raw)).toBe(true)
        expect(key.raw).toMatch(/^fct_[0-9A-Za-z]{39}$/)
        expect(key.prefix).toBe(key.raw.slice(0, 12))
        expect(key.hash).toEqual(hashKey(key.raw))
      }),
    )
  })

  test('different random bytes make different keys', () => {
    fc.assert(
      fc.property(random, random, (one, two) => {
        expect(makeKey(one).raw === makeKey(two).raw).toBe(one.equals(two))
      }),
    )
  })

  test('a key with any one character changed is no key', () => {
    fc.assert(
      fc.property(random, fc.integer({ min: 4, max: 42 }), fc.constantFrom(...'0aZ'), (bytes, at, other) => {
        const { raw } = makeKey(bytes)
        const changed = raw.slice(0, at) + other + raw.slice(at + 1)
        expect(isKey(changed)).toBe(changed === raw)
      }),
    )
  })
})

describe('addresses', () => {
  test.each([
    ['Ana@Example.COM', 'ana@example.com'],
    ['  ana@example.com ', 'ana@example.com'],
    ['ana+facturas@example.com', 'ana+facturas@example.com'],
    ['ana@españa.es', 'ana@xn--espaa-rta.es'],
  ])('%s is the account %s', (typed, canonical) => {
    expect(readAddress(typed)?.canonical).toBe(canonical)
  })

  test.each([
    '',
    'ana',
    'ana@',
    '@example.com',
    'ana@example',
    'ana @example.com',
    'a@b@c',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(250)}.com`,
    'ana\0@example.com',
    'ana@exam\nple.com',
  ])('%j is malformed', (text) => {
    expect(readAddress(text)).toBeNull()
  })

  test.each([
    'mailinator.com',
    'yopmail.com',
    'guerrillamail.com',
    '10minutemail.com',
    'trashmail.com',
    'tempmail.com',
  ])('%s is disposable, and so is what lies below it', (domain) => {
    for (const host of [domain, `inbox.${domain}`]) {
      expect(() => acceptAddress(`ana@${host}`)).toThrow(expect.objectContaining({ code: 'DISPOSABLE_EMAIL' }))
    }
  })

  test.each(['gmail.com', 'outlook.com', 'example.com', 'test.com', 'duck.com', 'agenciatributaria.gob.es', 'com.es'])(
    '%s is not',
    (domain) => {
      expect(isDisposable({ typed: '', canonical: `ana@${domain}` })).toBe(false)
    },
  )
})

describe('slugs', () => {
  test.each([
    ['Panadería Núñez', 'panaderia-nunez'],
    ['  A & B, S.L.  ', 'a-b-s-l'],
    ['日本', 'subaccount'],
    ['---', 'subaccount'],
    ['Ærø ﬁn', 'r-fin'],
    ['x'.repeat(100), 'x'.repeat(60)],
  ])('%j becomes %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })

  test('any name makes a slug of letters, digits and single hyphens', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(slugOf(name)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      }),
    )
  })

  test('a taken slug gets the next free number', () => {
    expect(freeSlug('a', new Set())).toBe('a')
    expect(freeSlug('a', new Set(['a', 'a-2']))).toBe('a-3')
  })
})

describe('periods', () => {
  test.each([
    ['2026-01-01T00:00:00.000Z', '2026-01-01', '2026-02-01 00:00:00'],
    ['2026-01-31T23:59:59.999Z', '2026-01-01', '2026-02-01 00:00:00'],
    ['2024-02-29T12:00:00.000Z', '2024-02-01', '2024-03-01 00:00:00'],
    ['2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01 00:00:00'],
  ])('%s belongs to %s, which ends at %s', (instant, period, end) => {
    expect(periodOf(new Date(instant))).toBe(period)
    expect(periodEnd(period)).toBe(end)
  })

  test('every instant lies before the end of its period and not before its start', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        (date) => {
          expect(periodOf(date) <= timestamp(date)).toBe(true)
          expect(timestamp(date) < periodEnd(periodOf(date))).toBe(true)
        },
      ),
    )
  })
})

describe('percentages', () => {
  test.each([
    [0, 0, 0],
    [1, 0, 100],
    [1, 3, 33.33],
    [128, 150, 85.33],
    [150, 150, 100],
  ])('%i of %i is %d', (part, whole, expected) => {
    expect(percentage(part, whole)).toBe(expected)
  })
})

describe('slow-down', () => {
  test('the first ten attempts are free, then the wait doubles up to a minute', () => {
    const waits = [1, 9, 10, 11, 12, 15, 16, 17, 1000].map((failures) => waitAfter(accountRule, failures))
    expect(waits).toEqual([0, 0, 1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000])
  })
})

describe('access to the ledger', () => {
  const now = new Date('2026-03-10T10:00:00Z')
  test.each([
    ['in the trial', null, trialEnd(now, 14), true, 'trial'],
    ['at the trial’s last instant', null, new Date(now.getTime() + 1), true, 'trial'],
    ['when the trial has ended', null, now, false, 'trial_expired'],
    ['without any trial', null, trialEnd(now, 0), false, 'trial_expired'],
    ['with a plan in the trial', 'contab_basic', trialEnd(now, 14), true, 'subscription'],
    ['with a plan after it', 'contab_pro', now, true, 'subscription'],
  ] as const)('%s', (_name, ledgerPlan, trialEndsAt, access, reason) => {
    expect(ledgerAccess({ ledgerPlan, trialEndsAt }, now)).toMatchObject({ access, reason, plan: ledgerPlan })
  })
})
