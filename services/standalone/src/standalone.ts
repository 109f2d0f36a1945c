import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { systemClock, systemIds } from '@asiento/chassis/clock'
import { chassisEnvironment, type Environment, loadConfig } from '@asiento/chassis/config'
import { startEmbeddedPostgres } from '@asiento/chassis/embedded-postgres'
import { createLifecycle, type Lifecycle } from '@asiento/chassis/lifecycle'
import type { Log } from '@asiento/chassis/log'
import { localClient } from '@asiento/chassis/rpc'
import { type Mounted, mount, openOutside, type Shared } from '@asiento/chassis/service'
import { startTelemetry } from '@asiento/chassis/telemetry'
import type { RpcClients } from '@asiento/proto/rpc'
import { standaloneEnvironment } from './config.ts'
import { StartError, takeDataFolder } from './data-folder.ts'
import { keepOwnSecrets } from './own-secrets.ts'
import { everyService } from './services.ts'

export interface Standalone {
  baseUrl: string
  dataDirectory: string
  shared: Shared
  lifecycle: Lifecycle
}

/**
 * Everything in one process: an embedded PostgreSQL, the services with direct calls between them, an in-process bus over
 * the same outbox, files as objects. The services are the same values that run alone in a cluster.
 */
export async function startStandalone(
  given: Environment,
  log: Log,
  progress: (step: string) => void,
): Promise<Standalone> {
  const own = loadConfig(standaloneEnvironment, given)
  const dataDirectory = resolve(own.DATA_DIR)
  const lifecycle = createLifecycle(log)
  try {
    const folder = await takeDataFolder(dataDirectory)
    lifecycle.onClose('data folder', folder.release)
    const port = await claimPort(own.PORT)
    const secrets = await keepOwnSecrets(dataDirectory)
    const baseUrl = own.PUBLIC_URL ?? `http://localhost:${port}`
    const environment = {
      ...secrets,
      ...defined(given),
      PORT: String(port),
      PUBLIC_URL: baseUrl,
      DATA_DIR: dataDirectory,
    }
    const shared = await openShared(environment, log, lifecycle, progress)
    await mountAll(shared, progress)
    return { baseUrl, dataDirectory, shared, lifecycle }
  } catch (error) {
    await lifecycle.close()
    throw error
  }
}

const defined = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))

/** The port, or a free one for 0. Fails with {@link StartError} before anything else is started. */
function claimPort(port: number): Promise<number> {
  return new Promise((done, reject) => {
    const probe = createServer()
    probe.once('error', (cause) => {
      const inUse = 'code' in cause && cause.code === 'EADDRINUSE'
      const line = inUse ? `Port ${port} is in use; stop what uses it or set PORT to another one.` : cause.message
      reject(new StartError(line, { cause }))
    })
    probe.listen(port, () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address !== null ? address.port : port))
    })
  })
}

async function openShared(
  environment: Environment,
  log: Log,
  lifecycle: Lifecycle,
  progress: (step: string) => void,
): Promise<Shared> {
  const config = loadConfig(chassisEnvironment, environment)
  lifecycle.onClose(
    'telemetry',
    await startTelemetry({ service: 'standalone', endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT }),
  )
  let databaseUrl = config.DATABASE_URL
  if (databaseUrl === undefined) {
    progress('starting PostgreSQL')
    const postgres = await startEmbeddedPostgres({ directory: join(config.DATA_DIR, 'postgres') })
    lifecycle.onClose('PostgreSQL', () => postgres.stop())
    databaseUrl = postgres.url
  }
  const outside = await openOutside(config, { name: 'standalone', log, lifecycle })
  return {
    ...outside,
    config,
    environment,
    databaseUrl,
    migrationUrl: config.MIGRATION_DATABASE_URL ?? databaseUrl,
    log,
    // Filled by mountAll before anything runs: services know each other only through these clients.
    rpc: {} as RpcClients,
    clock: systemClock,
    ids: systemIds,
    lifecycle,
  }
}

async function mountAll(shared: Shared, progress: (step: string) => void): Promise<void> {
  progress('starting the services')
  const mounted: Mounted[] = []
  for (const definition of everyService) {
    // The gateway opens the door when it is mounted, so the others are reachable by then.
    const service = await mount(definition as Parameters<typeof mount>[0], shared)
    if (service.name !== 'gateway') Object.assign(shared.rpc, { [service.name]: localClient(service.functions) })
    mounted.push(service)
  }
  await shared.bus.start()
  shared.lifecycle.onClose('bus', () => shared.bus.close())
  for (const service of mounted) await service.start()
}
