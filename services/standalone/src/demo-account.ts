import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '@asiento/chassis/db'
import { appRole } from '@asiento/chassis/migrate'
import type { Tables } from '@asiento/identity/adapters/out/tables'
import { seedDemoAccount } from '@asiento/identity/app/seed-demo-account'
import { z } from 'zod'
import type { Standalone } from './standalone.ts'

const demoSchema = z.object({ base_url: z.string(), email: z.string(), password: z.string(), api_key: z.string() })

export type DemoAccount = z.output<typeof demoSchema>

/**
 * Makes the demo account on the first start and writes `demo.json`, readable by the owner only; later starts keep both.
 * A lost or damaged file gives the account a new password and key.
 */
export async function keepDemoAccount({ shared, baseUrl, dataDirectory }: Standalone): Promise<DemoAccount> {
  const path = join(dataDirectory, 'demo.json')
  const kept = demoSchema.safeParse(await readJson(path))
  const demo = kept.success ? { ...kept.data, base_url: baseUrl } : { base_url: baseUrl, ...(await seed(shared)) }
  await writeFile(path, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  return demo
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}

async function seed({ databaseUrl, log, clock, ids }: Standalone['shared']) {
  const db = openDatabase<Tables>({ url: databaseUrl, schema: 'identity', role: appRole('identity'), poolMax: 1, log })
  try {
    return await seedDemoAccount({ db, clock, ids })
  } finally {
    await db.close()
  }
}
