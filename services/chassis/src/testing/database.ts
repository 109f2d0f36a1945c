import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { z } from 'zod'
import { type Database, openDatabase } from '../db.ts'
import { createLog } from '../log.ts'
import { appRole, migrate } from '../migrate.ts'
import type { ServiceDefinition } from '../service.ts'

/** The superuser URL of the test server; set by the test run's global setup. */
export function testServerUrl(): string {
  const url = process.env.TEST_POSTGRES_URL
  if (url === undefined)
    throw new Error('TEST_POSTGRES_URL is not set: run the tests through vitest and its global setup')
  return url
}

export interface TestDatabase<T> {
  db: Database<T>
  /** Owner's URL. */
  url: string
  drop(): Promise<void>
}

type AnyDefinition<T> = Pick<ServiceDefinition<never, z.ZodObject, T>, 'migrations'> & { name: string }

/**
 * A database of its own for one test: a clone of a template that has been migrated once in this run.
 */
export async function createTestDatabase<T>(definition: AnyDefinition<T>): Promise<TestDatabase<T>> {
  const url = await cloneDatabase(`template_${definition.name}`, (templateUrl) =>
    migrate({ url: templateUrl, schema: definition.name, directory: definition.migrations }).then(() => {}),
  )
  const db = openDatabase<T>({
    url,
    schema: definition.name,
    role: appRole(definition.name),
    poolMax: 10,
    log: createLog({ name: 'test', level: 'silent' }),
  })
  return {
    db,
    url,
    drop: async () => {
      await db.close()
      await dropDatabase(url)
    },
  }
}

/** Clones a template database, preparing it first if this run has not yet done so. Answers the clone's URL. */
export async function cloneDatabase(template: string, prepare: (url: string) => Promise<void>): Promise<string> {
  const server = new pg.Client({ connectionString: testServerUrl() })
  await server.connect()
  const templateName = `${template}_${process.env.TEST_RUN_ID ?? 'run'}`
  const name = `test_${randomBytes(8).toString('hex')}`
  try {
    // Test files run in parallel processes; one of them prepares the template while the others wait.
    await server.query('select pg_advisory_lock(hashtext($1))', [templateName])
    const found = await server.query('select 1 from pg_database where datname = $1', [templateName])
    if (found.rowCount === 0) {
      const draft = `${templateName}_draft`
      await server.query(`drop database if exists ${draft}`)
      await server.query(`create database ${draft}`)
      await prepare(withDatabase(draft))
      await server.query(`alter database ${draft} rename to ${templateName}`)
    }
    await server.query(`create database ${name} template ${templateName}`)
  } finally {
    await server.end()
  }
  return withDatabase(name)
}

/** Drops a database that a test cloned, ending whatever still uses it. */
export async function dropDatabase(url: string): Promise<void> {
  const server = new pg.Client({ connectionString: testServerUrl() })
  await server.connect()
  await server.query(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`)
  await server.end()
}

function withDatabase(name: string): string {
  const url = new URL(testServerUrl())
  url.pathname = `/${name}`
  return url.toString()
}
