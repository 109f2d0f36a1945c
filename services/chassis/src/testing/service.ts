import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Actor } from '@asiento/proto/actor'
import type { ServiceName } from '@asiento/proto/operation'
import type { RpcClient, RpcClients } from '@asiento/proto/rpc'
import type { z } from 'zod'
import { createInProcessBus } from '../bus-in-process.ts'
import { type Clock, systemClock, systemIds } from '../clock.ts'
import { chassisEnvironment, loadConfig } from '../config.ts'
import type { Database } from '../db.ts'
import { openDatabase } from '../db.ts'
import { createInProcessKeyValue } from '../keyvalue-in-process.ts'
import { createLifecycle } from '../lifecycle.ts'
import { createLog } from '../log.ts'
import { migrate } from '../migrate.ts'
import type { Objects } from '../objects.ts'
import { createFileObjects } from '../objects-files.ts'
import { localClient } from '../rpc.ts'
import { mount, type ServiceDefinition, type Shared } from '../service.ts'
import { cloneDatabase, dropDatabase } from './database.ts'

export interface TestService<S extends ServiceName, T> {
  call: RpcClient<S>
  /** The service's schema, with the owner's rights: for what a test wants to see or break. */
  db: Database<T>
  objects: Objects
  shared: Shared
  stop(): Promise<void>
}

export interface TestServiceOptions {
  environment?: Record<string, string>
  clock?: Clock
  /** The other services, where the one under test calls them. */
  rpc?: Partial<RpcClients>
}

/**
 * Runs one service as it is, on a database of its own, an in-process bus and files; relay, consumers and schedules at
 * work.
 */
export async function startTestService<S extends ServiceName, C extends z.ZodObject, T>(
  definition: ServiceDefinition<S, C, T>,
  options: TestServiceOptions = {},
): Promise<TestService<S, T>> {
  const log = createLog({ name: 'test', level: process.env.TEST_LOG_LEVEL ?? 'silent' })
  const lifecycle = createLifecycle(log)
  const url = await cloneDatabase(`template_${definition.name}`, (templateUrl) =>
    migrate({ url: templateUrl, schema: definition.name, directory: definition.migrations }).then(() => {}),
  )
  lifecycle.onClose('database', () => dropDatabase(url))
  const dataDirectory = await mkdtemp(join(tmpdir(), 'asiento-test-'))
  lifecycle.onClose('data', () => rm(dataDirectory, { recursive: true, force: true }))
  const environment = { DATA_DIR: dataDirectory, ...options.environment }
  const objects = createFileObjects(join(dataDirectory, 'objects'))
  const bus = createInProcessBus({ log })
  const shared: Shared = {
    config: loadConfig(chassisEnvironment, environment),
    environment,
    databaseUrl: url,
    migrationUrl: url,
    log,
    bus,
    objects,
    keyValue: createInProcessKeyValue(),
    rpc: (options.rpc ?? {}) as RpcClients,
    clock: options.clock ?? systemClock,
    ids: systemIds,
    lifecycle,
  }
  const db = openDatabase<T>({ url, schema: definition.name, poolMax: 4, log })
  lifecycle.onClose('test database', () => db.close())
  const mounted = await mount(definition, shared)
  lifecycle.onClose('bus', () => bus.close())
  await mounted.start()
  return { call: localClient<S>(mounted.functions), db, objects, shared, stop: () => lifecycle.close() }
}

/** An actor for tests: plan business, full ledger, JWT, unless told otherwise. */
export const testActor = (changes: Partial<Actor> = {}): Actor => ({
  userId: 1,
  email: 'demo@example.com',
  locale: 'es',
  plan: 'business',
  via: 'jwt',
  keyId: null,
  subaccountId: null,
  sandbox: false,
  ratePerMinute: 60,
  ledger: { access: true, reason: 'subscription', plan: 'contab_business', trialEndsAt: '2026-01-15 00:00:00' },
  ...changes,
})
