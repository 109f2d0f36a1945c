import type { Operation } from '@asiento/proto/operation'
import { authOperations } from '@asiento/proto/operations/auth'
import { billingOperations } from '@asiento/proto/operations/billing'
import { keysOperations } from '@asiento/proto/operations/keys'
import { subaccountsOperations } from '@asiento/proto/operations/subaccounts'
import { describe, expect, test } from 'vitest'

const rows: Operation[] = Object.values({
  ...authOperations,
  ...keysOperations,
  ...subaccountsOperations,
  ...billingOperations,
}).filter((row) => row.service === 'identity')

describe('the rows of the operation table', () => {
  test.each(rows.filter((row) => row.examples?.request !== undefined).map((row) => [row.id, row] as const))(
    'the example request of %s is one',
    (_id, row) => {
      const schema = row.body?.kind === 'json' ? row.body.schema : undefined
      expect(schema?.safeParse(row.examples?.request).error).toBeUndefined()
    },
  )

  test.each(rows.filter((row) => row.examples?.response !== undefined).map((row) => [row.id, row] as const))(
    'the example answer of %s is one',
    (_id, row) => {
      const schema = row.response.kind === 'json' ? row.response.schema : undefined
      expect(schema?.safeParse(row.examples?.response).error).toBeUndefined()
    },
  )

  test('keys and subaccounts are managed with the session only, subaccounts on plan Business only', () => {
    for (const row of rows.filter(({ path }) => /^\/(keys|subaccounts)/.test(path) && path !== '/keys/me')) {
      expect([row.id, row.auth]).toEqual([row.id, 'jwt'])
    }
    for (const row of rows.filter(({ path }) => path.startsWith('/subaccounts'))) expect(row.gate).toBe('subaccounts')
  })

  test('what shows a secret once is never replayed', () => {
    for (const id of ['createKey', 'createSubaccountKey', 'login', 'googleLogin']) {
      expect(rows.find((row) => row.id === id)?.idempotent ?? false).toBe(false)
    }
  })
})
