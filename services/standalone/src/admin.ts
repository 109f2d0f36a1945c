import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { systemClock } from '@asiento/chassis/clock'
import { chassisEnvironment, loadConfig } from '@asiento/chassis/config'
import { openDatabase } from '@asiento/chassis/db'
import { startEmbeddedPostgres } from '@asiento/chassis/embedded-postgres'
import { createLog, type Log } from '@asiento/chassis/log'
import { appRole } from '@asiento/chassis/migrate'
import type { Tables } from '@asiento/identity/adapters/out/tables'
import { OperatorError, runOperatorCommand } from '@asiento/identity/app/operator'
import { runDlqCommand } from './admin-dlq.ts'
import { takeDataFolder } from './data-folder.ts'

/*
 * The operator tool: `npm run admin -- user show EMAIL`. It works on DATABASE_URL where that is set, else on the data
 * folder of this machine, whether or not `npm start` is running on it.
 */
try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}

function explain(error: unknown): string {
  // PostgreSQL's codes for a role, a schema or a table that is not there.
  const neverPrepared = new Set(['22023', '3F000', '42P01', '42704'])
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (neverPrepared.has(code)) return 'This database has never been used by Asiento; start it once first.'
  return error instanceof Error ? error.message : String(error)
}

async function main(args: string[]): Promise<void> {
  const config = loadConfig(chassisEnvironment, process.env)
  const database = await reachDatabase(config.DATABASE_URL, resolve(config.DATA_DIR))
  // What fails is thrown; a pool that loses its idle connections at the end is no news.
  const log = createLog({ name: 'admin', level: 'error' })
  try {
    const lines =
      args[0] === 'dlq'
        ? await runDlqCommand({ url: database.url, log }, args.slice(1))
        : await runUserCommand(database.url, log, args)
    process.stdout.write(`${lines.join('\n')}\n`)
  } finally {
    await database.release()
  }
}

async function runUserCommand(url: string, log: Log, args: string[]): Promise<string[]> {
  const db = openDatabase<Tables>({ url, schema: 'identity', role: appRole('identity'), poolMax: 1, log })
  try {
    return await runOperatorCommand({ db, clock: systemClock }, operatorName(), args)
  } finally {
    await db.close()
  }
}

/** Who is at the keyboard, for the audit record; also behind sudo. */
function operatorName(): string {
  return process.env.SUDO_USER ?? userInfo().username
}

interface Reached {
  url: string
  release(): Promise<void>
}

async function reachDatabase(configured: string | undefined, dataDirectory: string): Promise<Reached> {
  if (configured !== undefined) return { url: configured, release: async () => {} }
  const directory = join(dataDirectory, 'postgres')
  if (!existsSync(directory)) {
    throw new OperatorError(`There is no data in ${dataDirectory}; set DATA_DIR or DATABASE_URL.`)
  }
  const running = await runningUrl(directory)
  if (running !== null) return { url: running, release: async () => {} }
  const folder = await takeDataFolder(dataDirectory)
  const postgres = await startEmbeddedPostgres({ directory })
  return {
    url: postgres.url,
    release: async () => {
      await postgres.stop()
      await folder.release()
    },
  }
}

/** The address of the embedded PostgreSQL while `npm start` runs; null when it does not. */
async function runningUrl(directory: string): Promise<string | null> {
  const pidFile = await readFile(join(directory, 'cluster', 'postmaster.pid'), 'utf8').catch(() => '')
  const holder = Number(await readFile(join(directory, '..', 'lock'), 'utf8').catch(() => ''))
  if (pidFile === '' || !isAlive(holder)) return null
  const port = pidFile.split('\n')[3]
  const password = (await readFile(join(directory, 'password'), 'utf8')).trim()
  return `postgres://asiento:${password}@127.0.0.1:${port}/asiento`
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
