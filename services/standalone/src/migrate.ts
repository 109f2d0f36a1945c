import { type ChassisConfig, ConfigError, chassisEnvironment, loadConfig } from '@asiento/chassis/config'
import { createLog } from '@asiento/chassis/log'
import { migrate } from '@asiento/chassis/migrate'
import { everyService } from './services.ts'

const log = createLog({ name: 'migrate', level: 'info' })

/** Brings the schemas of every service up to date and ends: the job that runs before an installation or upgrade. */
async function migrateAll(config: ChassisConfig): Promise<void> {
  const url = config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL
  if (url === undefined) throw new ConfigError(['MIGRATION_DATABASE_URL: required'])
  for (const { name, migrations } of everyService) {
    const done = await migrate({ url, schema: name, directory: migrations })
    log.info({ schema: name, migrations: done }, done.length === 0 ? 'up to date' : 'migrated')
  }
}

try {
  await migrateAll(loadConfig(chassisEnvironment, process.env))
} catch (error) {
  log.fatal({ err: error }, 'could not migrate')
  process.exit(1)
}
