import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'

const chassisMigrations = new URL('../migrations/', import.meta.url)

export interface MigrateOptions {
  /** The owner role's URL. */
  url: string
  schema: string
  /** Folders of `NNNN_verb_noun.sql`; the chassis's own tables come first. */
  directory: URL
}

/** The role that a service's sessions take: no ownership, no DDL. */
export const appRole = (schema: string): string => `asiento_${schema}_app`

/** The database was migrated by a newer version than this code knows. */
export class NewerDatabaseError extends Error {
  constructor(schema: string, migration: string) {
    super(
      `The data was written by a newer version (${schema}: ${migration} is unknown here); run that version or newer.`,
    )
    this.name = 'NewerDatabaseError'
  }
}

/**
 * Brings a service's schema up to date: creates schema and application role, then runs the SQL files that have not run
 * yet, under an advisory lock, all in one transaction. Running it again changes nothing.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const pool = new pg.Pool({
    connectionString: options.url,
    options: `-c search_path=${options.schema},public`,
    max: 2,
    application_name: `asiento-migrate-${options.schema}`,
  })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await prepareSchema(db, options.schema)
    const known = { ...(await sqlFiles(chassisMigrations)), ...(await sqlFiles(options.directory)) }
    await refuseNewer(db, options.schema, known)
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => known },
      migrationTableSchema: options.schema,
      migrationTableName: 'migrations',
      migrationLockTableName: 'migrations_lock',
      allowUnorderedMigrations: true,
    })
    const { error, results } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
    return (results ?? []).map((result) => result.migrationName)
  } finally {
    await db.destroy()
  }
}

async function prepareSchema(db: Kysely<unknown>, schema: string): Promise<void> {
  const role = appRole(schema)
  await db.transaction().execute(async (tx) => {
    // Roles belong to the whole server: two services that start at once must not race for them.
    await sql`select pg_advisory_xact_lock(hashtext('asiento.migrate'))`.execute(tx)
    const existing = await sql`select 1 from pg_roles where rolname = ${role}`.execute(tx)
    if (existing.rows.length === 0) await sql`create role ${sql.id(role)} nologin`.execute(tx)
    await sql`grant ${sql.id(role)} to current_user`.execute(tx)
    await sql`create schema if not exists ${sql.id(schema)}`.execute(tx)
    await sql`grant usage on schema ${sql.id(schema)} to ${sql.id(role)}`.execute(tx)
    await sql`alter default privileges in schema ${sql.id(schema)}
      grant select, insert, update, delete on tables to ${sql.id(role)}`.execute(tx)
    await sql`alter default privileges in schema ${sql.id(schema)}
      grant usage, select on sequences to ${sql.id(role)}`.execute(tx)
    await sql`create extension if not exists pg_trgm with schema public`.execute(tx)
  })
}

async function refuseNewer(db: Kysely<unknown>, schema: string, known: Record<string, Migration>): Promise<void> {
  const table = await sql<{ found: string | null }>`select to_regclass(${`${schema}.migrations`}) as found`.execute(db)
  if (table.rows[0]?.found == null) return
  const run = await sql<{ name: string }>`select name from ${sql.id(schema, 'migrations')}`.execute(db)
  const unknown = run.rows.find((row) => known[row.name] === undefined)
  if (unknown !== undefined) throw new NewerDatabaseError(schema, unknown.name)
}

async function sqlFiles(directory: URL): Promise<Record<string, Migration>> {
  const names = (await readdir(fileURLToPath(directory)).catch(() => [])).filter((name) => name.endsWith('.sql')).sort()
  const entries = names.map(async (name): Promise<[string, Migration]> => {
    const text = await readFile(new URL(name, directory), 'utf8')
    return [name.replace(/\.sql$/, ''), { up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)) }]
  })
  return Object.fromEntries(await Promise.all(entries))
}
