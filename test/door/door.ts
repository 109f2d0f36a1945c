import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { client, sample } from '../e2e/api.ts'
import { type Account, admin, type House, makeAccount } from '../provision/accounts.ts'
import { startStandaloneProcess, temporaryDataFolder } from '../provision/standalone.ts'

/** The real process with a data folder of its own. */
export interface Door extends House {
  output(): string
  demoKey: string
  close(): Promise<void>
}

export async function openDoor(environment: NodeJS.ProcessEnv = {}): Promise<Door> {
  const folder = await temporaryDataFolder()
  const asiento = await startStandaloneProcess(folder.path, environment).catch(async (error) => {
    await folder.remove()
    throw error
  })
  return {
    baseUrl: asiento.demo.base_url,
    dataDirectory: folder.path,
    environment: { ...process.env, DATA_DIR: folder.path, NODE_ENV: 'test' },
    output: asiento.output,
    demoKey: asiento.demo.api_key,
    close: async () => {
      await asiento.kill('SIGTERM')
      await folder.remove()
    },
  }
}

export const withToken = (door: House, { token }: Account) => client(door.baseUrl, { authorization: `Bearer ${token}` })
export const withKey = (door: House, key: string) => client(door.baseUrl, { 'x-api-key': key })

export async function makeKey(door: House, account: Account, plan = 'pro'): Promise<string> {
  const made = await withToken(door, account).send('POST', '/keys', { name: 'test', plan })
  if (made.status !== 200) throw new Error(`key: ${made.status} ${made.bytes}`)
  return String(made.body.raw_key)
}

/** Logs in again: what changes an account's plan is in force at once, a suspension ends older sessions. */
export const setPlans = async (door: House, email: string, plan: string, ledgerPlan?: string): Promise<void> => {
  await admin(door.environment, 'user', 'set-plan', email, plan)
  if (ledgerPlan !== undefined) await admin(door.environment, 'user', 'set-ledger-plan', email, ledgerPlan)
}

/** The embedded server of a data folder itself: what an operator could do to it. */
export async function database<T>(dataDirectory: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const folder = join(dataDirectory, 'postgres')
  const password = (await readFile(join(folder, 'password'), 'utf8')).trim()
  const port = (await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[3]
  const own = new pg.Client({ connectionString: `postgres://asiento:${password}@127.0.0.1:${port}/asiento` })
  await own.connect()
  try {
    return await work(own)
  } finally {
    await own.end()
  }
}

export const pdf = async () => (await sample('factura-digital.pdf')).bytes
export const signer = () => readFile(new URL('../fixtures/test-signer.p12', import.meta.url))
export { makeAccount }
