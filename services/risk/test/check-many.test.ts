import { createTestDatabase, type TestDatabase } from '@asiento/chassis/testing/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStore } from '../src/adapters/out/store.ts'
import type { Tables } from '../src/adapters/out/tables.ts'
import { checkMany } from '../src/app/check-many.ts'
import { risk } from '../src/service.ts'

let database: TestDatabase<Tables>
beforeAll(async () => {
  database = await createTestDatabase<Tables>(risk)
})
afterAll(() => database.drop())

describe('the bulk check', () => {
  it('finds the copies among many, in their order, and remembers nothing', async () => {
    const store = createStore(database.db)
    const scope = { userId: 1, keyId: null, subaccountId: null, sandbox: false }
    const vendor = { key: 'B12345674', name: 'Pardo' }
    for (let log = 1; log <= 30; log += 1) {
      await store.assess({
        logId: log,
        scope,
        fileSha256: log.toString(16).padStart(64, '0'),
        vendorKey: vendor.key,
        vendorVat: vendor.key,
        vendorName: vendor.name,
        numberKey: `F${log}`,
        number: `F-${log}`,
        totalCents: 1_000 + log,
        date: '2026-01-01',
        iban: null,
      })
    }
    const asked = Array.from({ length: 2_500 }, (_, index) => ({
      fileSha256: index === 7 ? '1'.padStart(64, '0') : null,
      vendor,
      numberKey: index % 100 === 0 ? `F${index / 100 + 1}` : `X${index}`,
      number: index % 100 === 0 ? `F/${index / 100 + 1}` : `X-${index}`,
      totalCents: index % 100 === 0 ? 1_001 + index / 100 : 5,
      date: '2026-01-01',
    }))
    const verdicts = await checkMany(database.db, scope, asked)
    expect(verdicts).toHaveLength(2_500)
    verdicts.forEach((verdict, index) => {
      if (index === 7) expect(verdict).toMatchObject({ originalLogId: 1, reason: 'exact_file' })
      else if (index % 100 === 0)
        expect(verdict).toMatchObject({ originalLogId: index / 100 + 1, reason: 'same_invoice' })
      else expect(verdict).toBeNull()
    })
    expect(await checkMany(database.db, { userId: 2, subaccountId: null }, asked.slice(0, 10))).toEqual(
      Array(10).fill(null),
    )
  })
})
