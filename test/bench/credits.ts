import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@asiento/chassis/embedded-postgres'
import { createTestDatabase } from '@asiento/chassis/testing/database'
import type { Tables } from '@asiento/identity/adapters/out/tables'
import { reserveCredits } from '@asiento/identity/app/credits'
import { identity } from '@asiento/identity/service'
import type { Figure } from './figure.ts'

const reservations = 50

/** Round trips to the database of one reservation, counted at the connection. */
export async function benchCredits(): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'asiento-bench-'))
  const postgres = await startEmbeddedPostgres({ directory, disposable: true })
  process.env.TEST_POSTGRES_URL = postgres.url
  try {
    const { db, drop } = await createTestDatabase<Tables>(identity)
    try {
      return [await countReservations(db)]
    } finally {
      await drop()
    }
  } finally {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function countReservations(db: Awaited<ReturnType<typeof createTestDatabase<Tables>>>['db']): Promise<Figure> {
  const { rows } = await db.pool.query(
    `insert into users (email, email_canonical, full_name, plan, email_verified_at, trial_ends_at, created_at)
     values ('b@example.com', 'b@example.com', 'B', 'business', now(), now(), now()) returning id`,
  )
  const scope = { userId: Number(rows[0]?.id), keyId: null, subaccountId: null, sandbox: false }
  let statements = 0
  db.pool.on('acquire', (client) => {
    const query = client.query.bind(client)
    Object.assign(client, {
      query: (...parts: Parameters<typeof query>) => {
        statements += 1
        return query(...parts)
      },
    })
    db.pool.once('release', () => Object.assign(client, { query }))
  })
  const reserve = reserveCredits({
    db,
    clock: { now: () => new Date() },
    config: { RESERVATION_MINUTES: 30 } as Parameters<typeof reserveCredits>[0]['config'],
  })
  for (let index = 0; index < reservations; index += 1) {
    await reserve({ reservationId: `bench:${index}`, credits: 1, scope })
  }
  return {
    name: 'credits: statements of a reservation',
    ours: `${statements} for ${reservations}`,
    baseline: '-',
    ratio: statements / reservations,
    target: { atMost: 1 },
  }
}
