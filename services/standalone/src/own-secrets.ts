import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const secretsSchema = z.object({ MASTER_KEY: z.string(), JWT_SECRET: z.string() })

export type OwnSecrets = z.output<typeof secretsSchema>

/** The two secrets that a single machine makes for itself and keeps, readable by the owner only. */
export async function keepOwnSecrets(directory: string): Promise<OwnSecrets> {
  const path = join(directory, 'secrets.json')
  const existing = await readFile(path, 'utf8').catch(() => undefined)
  if (existing !== undefined) return secretsSchema.parse(JSON.parse(existing))
  const secrets = { MASTER_KEY: namedKey(), JWT_SECRET: namedKey() }
  await writeFile(path, JSON.stringify(secrets, null, 2), { mode: 0o600, flag: 'wx' })
  return secrets
}

const namedKey = (): string => `k1:${randomBytes(32).toString('base64')}`
