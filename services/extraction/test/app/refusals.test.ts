import { failure } from '@asiento/proto/errors'
import { describe, expect, test } from 'vitest'
import { createRefusals } from '../../src/app/refusals.ts'

const scope = { userId: 1, keyId: 2, subaccountId: null, sandbox: false }

describe('a caller without credits', () => {
  test.each<[string, Parameters<typeof failure>[0], boolean]>([
    ['is remembered when refused', 'QUOTA_EXCEEDED', true],
    ['is not made out of an outage', 'SERVICE_UNAVAILABLE', false],
  ])('%s', async (_what, code, remembered) => {
    const refusals = createRefusals(() => 0)
    await expect(refusals.watch(scope, Promise.reject(failure(code)))).rejects.toMatchObject({ code })
    expect(refusals.has(scope)).toBe(remembered)
    expect(refusals.has({ ...scope, keyId: 3 })).toBe(false)
  })

  test('is forgotten after a minute, and at once when a credit is reserved', async () => {
    let now = 0
    const refusals = createRefusals(() => now)
    const refuse = () => refusals.watch(scope, Promise.reject(failure('QUOTA_EXCEEDED'))).catch(() => {})
    await refuse()
    now = 60_001
    expect(refusals.has(scope)).toBe(false)
    await refuse()
    expect(await refusals.watch(scope, Promise.resolve('reserved'))).toBe('reserved')
    expect(refusals.has(scope)).toBe(false)
  })
})
