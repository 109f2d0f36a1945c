import { resolve } from 'node:path'
import type { ServiceName } from '@asiento/proto/operation'
import type { Handlers, RpcClients } from '@asiento/proto/rpc'
import type { z } from 'zod'
import type { Bus } from './bus.ts'
import { createInProcessBus } from './bus-in-process.ts'
import { createKafkaBus } from './bus-kafka.ts'
import type { Clock, Ids } from './clock.ts'
import { type ChassisConfig, type Environment, loadConfig } from './config.ts'
import { type Definition, subscribeConsumers } from './consume.ts'
import { type Database, openDatabase } from './db.ts'
import { applyReplays } from './dead-letters.ts'
import type { KeyValue } from './keyvalue.ts'
import { createInProcessKeyValue } from './keyvalue-in-process.ts'
import { createRedisKeyValue } from './keyvalue-redis.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Log } from './log.ts'
import { appRole, migrate } from './migrate.ts'
import type { Objects } from './objects.ts'
import { createFileObjects } from './objects-files.ts'
import { createS3Objects } from './objects-s3.ts'
import { startRelay } from './relay.ts'
import { type AnyHandler, callables } from './rpc.ts'
import { type Schedule, startSchedules } from './schedule.ts'

/** What every service is given: outside things by interface, so that a test or the standalone decides what they are. */
export interface Resources<C, T> {
  /** The service's own environment, parsed. */
  config: C
  /** Where a single process may keep files; absolute. */
  dataDirectory: string
  log: Log
  db: Database<T>
  objects: Objects
  keyValue: KeyValue
  /** The other services, in process or remote. */
  rpc: RpcClients
  clock: Clock
  ids: Ids
}

/** A service at work. */
export interface ServiceModule<S extends ServiceName | 'gateway', T> {
  handlers: S extends ServiceName ? Handlers<S> : Record<string, never>
  consumers?: readonly Definition<T>[]
  schedules?: readonly Schedule[]
  close?: () => Promise<void>
}

/** A service as a value: the same in a cluster, in one process and in a test. */
export interface ServiceDefinition<S extends ServiceName | 'gateway', C extends z.ZodObject, T> {
  name: S
  /** Its environment; only what is named here is read. */
  config: C
  /** Folder of its SQL migrations. */
  migrations: URL
  create: (resources: Resources<z.output<C>, T>) => ServiceModule<S, T> | Promise<ServiceModule<S, T>>
}

/** Declares a service; `T` is the interface of its tables: `defineService<Tables>()({ … })`. */
export const defineService =
  <T>() =>
  <const S extends ServiceName | 'gateway', C extends z.ZodObject>(
    definition: ServiceDefinition<S, C, T>,
  ): ServiceDefinition<S, C, T> =>
    definition

/** What the services of one process share. */
export interface Shared {
  config: ChassisConfig
  environment: Environment
  databaseUrl: string
  migrationUrl: string
  log: Log
  bus: Bus
  objects: Objects
  keyValue: KeyValue
  rpc: RpcClients
  clock: Clock
  ids: Ids
  lifecycle: Lifecycle
}

export interface Mounted {
  name: ServiceName | 'gateway'
  functions: Record<string, AnyHandler>
  /** Starts relay and schedules; after the bus has started. */
  start(): Promise<void>
}

/** Migrates, opens and wires one service; nothing runs before `start`. */
export async function mount<S extends ServiceName | 'gateway', C extends z.ZodObject, T>(
  definition: ServiceDefinition<S, C, T>,
  shared: Shared,
): Promise<Mounted> {
  const { name } = definition
  const log = shared.log.child({ service: name })
  const config = loadConfig(definition.config, shared.environment)
  if (shared.config.MIGRATE_ON_START) {
    await migrate({ url: shared.migrationUrl, schema: name, directory: definition.migrations })
  }
  const db = openDatabase<T>({
    url: shared.databaseUrl,
    schema: name,
    role: appRole(name),
    poolMax: shared.config.DATABASE_POOL_MAX,
    log,
  })
  shared.lifecycle.onClose(`${name} database`, () => db.close())
  const { objects, keyValue, rpc, clock, ids, bus } = shared
  const dataDirectory = resolve(shared.config.DATA_DIR)
  const module = await definition.create({ config, dataDirectory, log, db, objects, keyValue, rpc, clock, ids })
  shared.lifecycle.onClose(name, async () => module.close?.())
  subscribeConsumers({ db, bus, log, consumers: module.consumers ?? [] })
  return {
    name,
    functions: name === 'gateway' ? {} : callables(name, module.handlers),
    start: async () => {
      const relay = await startRelay({ db: db as unknown as Database, bus, log })
      shared.lifecycle.onClose(`${name} relay`, () => relay.close())
      const schedules = startSchedules([...(module.schedules ?? []), replays(db, module.consumers ?? [])], log)
      shared.lifecycle.onClose(`${name} schedules`, () => schedules.close())
    },
  }
}

/** Applies what an operator asked to have replayed. */
const replays = <T>(db: Database<T>, consumers: readonly Definition<T>[]): Schedule => ({
  name: 'replay-dead-letters',
  everyMs: 5_000,
  run: async () => {
    if (consumers.length > 0) await applyReplays(db, consumers)
  },
})

/** The outside things that the configuration names; absent ones are replaced by what one process can do by itself. */
export async function openOutside(
  config: ChassisConfig,
  options: { name: string; log: Log; lifecycle: Lifecycle },
): Promise<{ bus: Bus; keyValue: KeyValue; objects: Objects }> {
  const { log, lifecycle } = options
  const keyValue = config.REDIS_URL
    ? await createRedisKeyValue({ url: config.REDIS_URL, log })
    : createInProcessKeyValue()
  lifecycle.onClose('key-value store', () => keyValue.close())
  const bus = config.KAFKA_BROKERS
    ? createKafkaBus({ config, clientId: options.name, log })
    : createInProcessBus({ log })
  return { bus, keyValue, objects: openObjects(config) }
}

function openObjects(config: ChassisConfig): Objects {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config
  if (!S3_ENDPOINT) return createFileObjects(resolve(config.DATA_DIR, 'objects'))
  return createS3Objects({
    endpoint: S3_ENDPOINT,
    bucket: S3_BUCKET ?? 'asiento',
    region: config.S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: S3_SECRET_ACCESS_KEY ?? '',
  })
}
