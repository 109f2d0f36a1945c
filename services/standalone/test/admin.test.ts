import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock, systemIds } from '@asiento/chassis/clock'
import { startEmbeddedPostgres } from '@asiento/chassis/embedded-postgres'
import { migrate } from '@asiento/chassis/migrate'
import { cloneDatabase, createTestDatabase, dropDatabase, type TestDatabase } from '@asiento/chassis/testing/database'
import type { Tables } from '@asiento/identity/adapters/out/tables'
import { seedDemoAccount } from '@asiento/identity/app/seed-demo-account'
import { identity } from '@asiento/identity/service'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyService } from '../src/services.ts'

const program = fileURLToPath(new URL('../src/admin.ts', import.meta.url))

interface Run {
  status: number
  stdout: string
  stderr: string
}

const admin = (environment: Record<string, string>, ...args: string[]): Promise<Run> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...environment }
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })
    })
  })

describe('npm run admin', () => {
  let database: TestDatabase<Tables>
  let email: string
  beforeAll(async () => {
    database = await createTestDatabase<Tables>(identity)
    const demo = await seedDemoAccount({ db: database.db, clock: systemClock, ids: systemIds })
    email = demo.email
  })
  afterAll(() => database.drop())

  test('changes an account of any deployment and records who did it', async () => {
    const environment = { DATABASE_URL: database.url, SUDO_USER: 'marta' }
    expect(await admin(environment, 'user', 'set-plan', email, 'pro')).toMatchObject({ status: 0, stderr: '' })
    const { stdout } = await admin(environment, 'user', 'show', email)
    expect(stdout).toMatch(/^plan +pro$/m)
    expect(stdout).toMatch(/marta: user set-plan pro$/m)
  })

  test('a wrong command ends with status 1 and one explanation, not a stack', async () => {
    const wrong = await admin({ DATABASE_URL: database.url }, 'user', 'suspend', 'nobody@example.com')
    expect(wrong).toEqual({ status: 1, stdout: '', stderr: 'No account has the address nobody@example.com.\n' })
  })

  test('says so where there is no data', async () => {
    const nowhere = await admin({ DATA_DIR: '/nonexistent/asiento' }, 'user', 'list')
    expect(nowhere).toMatchObject({ status: 1, stdout: '' })
    expect(nowhere.stderr).toContain('There is no data in /nonexistent/asiento')
  })

  test('works on the data folder of a machine on which nothing runs, and leaves nothing running', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'asiento-admin-'))
    try {
      const directory = join(folder, 'postgres')
      const postgres = await startEmbeddedPostgres({ directory, disposable: true })
      await postgres.stop()
      const { status, stderr } = await admin({ DATA_DIR: folder }, 'user', 'list')
      expect([status, stderr]).toEqual([1, 'This database has never been used by Asiento; start it once first.\n'])
      const again = await startEmbeddedPostgres({ directory, disposable: true })
      await again.stop()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('npm run admin -- dlq', () => {
  let url: string
  let sql: pg.Client
  beforeAll(async () => {
    url = await cloneDatabase('template_everything', async (templateUrl) => {
      for (const { name, migrations } of everyService) {
        await migrate({ url: templateUrl, schema: name, directory: migrations })
      }
    })
    sql = new pg.Client({ connectionString: url })
    await sql.connect()
    await sql.query(`insert into ledger.dead_letters (group_name, event_id, name, key, message, error, attempts)
      values ('ledger.auto-import', gen_random_uuid(), 'invoice.extracted', '7', '{}', 'no such account', 6)`)
  })
  afterAll(async () => {
    await sql.end()
    await dropDatabase(url)
  })

  test('shows what was set aside, with its reason', async () => {
    const { status, stdout } = await admin({ DATABASE_URL: url }, 'dlq', 'list')
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /^1 .* ledger\.auto-import {2}invoice\.extracted {2}key 7 {2}6 attempts {2}no such account$/m,
    )
    expect((await admin({ DATABASE_URL: url }, 'dlq', 'list', 'other.group')).stdout).toBe(
      'Nothing has been set aside.\n',
    )
  })

  test('hands it to the running services once', async () => {
    expect((await admin({ DATABASE_URL: url }, 'dlq', 'replay')).stdout).toBe(
      'ledger: 1 will be applied again within seconds.\n',
    )
    const { rows } = await sql.query('select replayed_at is not null as marked from ledger.dead_letters')
    expect(rows).toEqual([{ marked: true }])
    expect((await admin({ DATABASE_URL: url }, 'dlq', 'replay')).stdout).toBe('Nothing has been set aside.\n')
  })

  test('explains a wrong command in one line', async () => {
    const wrong = await admin({ DATABASE_URL: url }, 'dlq', 'purge')
    expect(wrong.status).toBe(1)
    expect(wrong.stderr).toBe('Use: npm run admin -- dlq list [GROUP] | npm run admin -- dlq replay [GROUP]\n')
  })
})
