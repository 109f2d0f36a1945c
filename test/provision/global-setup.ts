import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@asiento/chassis/embedded-postgres'

/** One PostgreSQL for the whole test run; every test clones its databases from templates. */
export default async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'asiento-pg-'))
  const postgres = await startEmbeddedPostgres({ directory, disposable: true })
  process.env.TEST_POSTGRES_URL = postgres.url
  process.env.TEST_RUN_ID = randomBytes(4).toString('hex')
  return async () => {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
