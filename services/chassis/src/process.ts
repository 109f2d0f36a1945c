import { type ServiceName, serviceNames } from '@asiento/proto/operation'
import type { RpcClients } from '@asiento/proto/rpc'
import type { z } from 'zod'
import { systemClock, systemIds } from './clock.ts'
import {
  type ChassisConfig,
  ConfigError,
  chassisEnvironment,
  type Environment,
  loadConfig,
  type NamedKeys,
} from './config.ts'
import { closeOnSignals, createLifecycle, type Lifecycle } from './lifecycle.ts'
import { createLog, type Log } from './log.ts'
import { type Probes, serveProbes } from './probes.ts'
import { remoteClient } from './rpc.ts'
import { serveRpc } from './rpc-server.ts'
import { mount, openOutside, type ServiceDefinition, type Shared } from './service.ts'
import { startTelemetry } from './telemetry.ts'

export interface ProcessContext {
  shared: Shared
  probes: Probes
  keys: NamedKeys
}

/** What a process of a cluster cannot do without. */
const clusterNeeds = ['DATABASE_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'INTERNAL_TOKEN_SECRET'] as const

/**
 * Runs one service as a process of its own: config → outside things → service → ready, closed in reverse order on
 * SIGTERM and SIGINT. A wrong configuration prints one line per problem and ends with status 78 (EX_CONFIG).
 */
export async function runService<S extends ServiceName, C extends z.ZodObject, T>(
  definition: ServiceDefinition<S, C, T>,
): Promise<void> {
  await runProcess(definition.name, async ({ shared, probes, keys }) => {
    const mounted = await mount(definition, shared)
    await shared.bus.start()
    shared.lifecycle.onClose('bus', () => shared.bus.close())
    await mounted.start()
    const { HOST: host, RPC_PORT: port } = shared.config
    const server = await serveRpc({
      service: definition.name,
      functions: mounted.functions,
      keys,
      host,
      port,
      log: shared.log,
    })
    shared.lifecycle.onClose('rpc server', () => server.close())
    shared.log.info({ rpcPort: server.port, probePort: probes.port }, 'ready')
  })
}

/** The frame of every process of a cluster; `start` mounts what this one runs. */
export async function runProcess(name: string, start: (context: ProcessContext) => Promise<void>): Promise<void> {
  const environment: Environment = process.env
  const config = configOrExit(environment)
  const log = createLog({ name, level: config.LOG_LEVEL })
  const lifecycle = createLifecycle(log)
  closeOnSignals(lifecycle, log)
  try {
    const context = await openProcess(name, config, environment, log, lifecycle)
    await start(context)
    context.probes.ready()
    lifecycle.onClose('readiness', async () => context.probes.notReady())
  } catch (error) {
    if (error instanceof ConfigError) exitWithProblems(error)
    log.fatal({ err: error }, 'could not start')
    await lifecycle.close()
    process.exit(1)
  }
}

async function openProcess(
  name: string,
  config: ChassisConfig,
  environment: Environment,
  log: Log,
  lifecycle: Lifecycle,
): Promise<ProcessContext> {
  lifecycle.onClose('telemetry', await startTelemetry({ service: name, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT }))
  const probes = await serveProbes({ host: config.HOST, port: config.PROBE_PORT })
  lifecycle.onClose('probes', () => probes.close())
  const outside = await openOutside(config, { name, log, lifecycle })
  const keys = config.INTERNAL_TOKEN_SECRET ?? []
  const databaseUrl = config.DATABASE_URL ?? ''
  const shared: Shared = {
    ...outside,
    config,
    environment,
    databaseUrl,
    migrationUrl: config.MIGRATION_DATABASE_URL ?? databaseUrl,
    log,
    rpc: remoteClients(config, keys),
    clock: systemClock,
    ids: systemIds,
    lifecycle,
  }
  return { shared, probes, keys }
}

function remoteClients(config: ChassisConfig, keys: NamedKeys): RpcClients {
  const urls: Record<ServiceName, string | undefined> = {
    identity: config.IDENTITY_URL,
    extraction: config.EXTRACTION_URL,
    facturae: config.FACTURAE_URL,
    risk: config.RISK_URL,
    ledger: config.LEDGER_URL,
    notifications: config.NOTIFICATIONS_URL,
  }
  const clients = serviceNames.map((service) => [
    service,
    remoteClient({ service, url: urls[service] ?? `http://${service}:8081`, keys }),
  ])
  return Object.fromEntries(clients) as RpcClients
}

function configOrExit(environment: Environment): ChassisConfig {
  try {
    const config = loadConfig(chassisEnvironment, environment)
    const missing = clusterNeeds.filter((name) => config[name] === undefined)
    if (missing.length > 0) throw new ConfigError(missing.map((name) => `${name}: required in a cluster`))
    return config
  } catch (error) {
    if (error instanceof ConfigError) exitWithProblems(error)
    throw error
  }
}

function exitWithProblems(error: ConfigError): never {
  for (const line of error.lines) process.stderr.write(`${line}\n`)
  process.exit(78)
}
