import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** A wrong configuration; `lines` holds one line per problem, each naming its variable. */
export class ConfigError extends Error {
  readonly lines: string[]
  constructor(lines: string[]) {
    super(lines.join('\n'))
    this.name = 'ConfigError'
    this.lines = lines
  }
}

/** Environment variables; a `NAME_FILE` stands for the content of the file it names. */
export type Environment = Record<string, string | undefined>

/**
 * Parses a service's environment in one go, so that every problem is reported before any socket opens.
 *
 * An empty string counts as absent. Fails with {@link ConfigError}.
 */
export function loadConfig<S extends z.ZodObject>(schema: S, environment: Environment): z.output<S> {
  const problems: string[] = []
  const values = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, variable(name, environment, problems)]),
  )
  const parsed = schema.safeParse(values)
  if (!parsed.success) {
    problems.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  }
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems)
  return parsed.data
}

function variable(name: string, environment: Environment, problems: string[]): string | undefined {
  const direct = environment[name]
  if (direct !== undefined && direct !== '') return direct
  const path = environment[`${name}_FILE`]
  if (path === undefined || path === '') return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    problems.push(`${name}_FILE: cannot read the file it names`)
    return undefined
  }
}

/** `true`/`false`, `1`/`0`, `yes`/`no`. */
export const flag = (fallback: boolean) => z.stringbool().default(fallback)

/** A whole number within bounds. */
export const whole = (bounds: { min: number; max: number; fallback: number }) =>
  z.coerce.number().int().min(bounds.min).max(bounds.max).default(bounds.fallback)

/** Named keys `kid:base64,kid:base64`: the first signs or encrypts, all of them verify or open. Bytes ≥ 32. */
export const keyList = z.string().transform((text, context) => {
  const keys = text.split(',').map((part) => {
    const [kid, encoded] = part.trim().split(':')
    return { kid: kid ?? '', bytes: Buffer.from(encoded ?? '', 'base64') }
  })
  if (keys.some((key) => key.kid === '' || key.bytes.length < 32)) {
    context.addIssue({ code: 'custom', message: 'Use kid:base64 with at least 32 bytes, separated by commas' })
    return z.NEVER
  }
  return keys
})

export type NamedKeys = z.output<typeof keyList>

/** What every process needs to know, whichever services it runs. */
export const chassisEnvironment = z.object({
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  HOST: z.string().default('0.0.0.0'),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z.string().optional(),
  /** The owner role's URL, for migrations; DATABASE_URL unless given. */
  MIGRATION_DATABASE_URL: z.string().optional(),
  /** False where a job of its own migrates before the services start. */
  MIGRATE_ON_START: flag(true),
  DATABASE_POOL_MAX: whole({ min: 1, max: 200, fallback: 10 }),
  KAFKA_BROKERS: z.string().optional(),
  KAFKA_SSL: flag(false),
  KAFKA_SASL_MECHANISM: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
  KAFKA_SASL_USERNAME: z.string().optional(),
  KAFKA_SASL_PASSWORD: z.string().optional(),
  KAFKA_PARTITIONS: whole({ min: 1, max: 256, fallback: 6 }),
  KAFKA_REPLICATION_FACTOR: whole({ min: 1, max: 9, fallback: 1 }),
  REDIS_URL: z.string().optional(),
  S3_ENDPOINT: z.string().optional(),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default('eu-south-2'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  /** Signs the internal token that carries the actor between services; the same in every process of a cluster. */
  INTERNAL_TOKEN_SECRET: keyList.optional(),
  RPC_PORT: whole({ min: 0, max: 65535, fallback: 8081 }),
  PROBE_PORT: whole({ min: 0, max: 65535, fallback: 9090 }),
  IDENTITY_URL: z.string().optional(),
  EXTRACTION_URL: z.string().optional(),
  FACTURAE_URL: z.string().optional(),
  RISK_URL: z.string().optional(),
  LEDGER_URL: z.string().optional(),
  NOTIFICATIONS_URL: z.string().optional(),
})

export type ChassisConfig = z.output<typeof chassisEnvironment>
