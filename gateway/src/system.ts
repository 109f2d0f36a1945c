import { readFileSync } from 'node:fs'

import { type OutputOf, serviceNames } from '@asiento/proto/operation'
import type { Operations } from '@asiento/proto/operations'
import { ledgerPlanNames, ledgerPlans, limits, planNames, plans } from '@asiento/proto/plans'
import { sql } from 'kysely'
import type { RouteDeps } from './http/route.ts'

export interface SystemDeps extends RouteDeps {
  version: string
  startedAt: Date
  /** The outside things whose state /status tells, beside the services. */
  probes: Record<string, () => Promise<void>>
}

type Status = OutputOf<Operations['status']>

type ServiceState = { status: 'operational' | 'degraded' | 'down'; latency_ms: number }

const probeTimeoutMs = 2_000
const statusCacheMs = 1_000

/** The state of everything that the service depends on, really probed, at most once a second. */
export function createStatus(deps: SystemDeps): () => Promise<Status> {
  let cached: { at: number; value: Promise<Status> } | undefined
  return () => {
    if (cached === undefined || Date.now() - cached.at > statusCacheMs) {
      cached = { at: Date.now(), value: probeAll(deps) }
    }
    return cached.value
  }
}

async function probeAll(deps: SystemDeps): Promise<Status> {
  const context = { actor: null, requestId: 'status' }
  const all: Record<string, () => Promise<unknown>> = {
    ...deps.probes,
    database: () => sql`select 1`.execute(deps.db.query),
    ...Object.fromEntries(serviceNames.map((name) => [name, () => deps.rpc[name].health({}, context)])),
  }
  const entries = await Promise.all(
    Object.entries(all).map(async ([name, probe]): Promise<[string, ServiceState]> => [name, await measure(probe)]),
  )
  const services = Object.fromEntries(entries)
  const states = entries.map(([, state]) => state.status)
  const status =
    services.database?.status === 'down'
      ? 'down'
      : states.every((state) => state === 'operational')
        ? 'operational'
        : 'degraded'
  return {
    status,
    version: deps.version,
    uptime_seconds: Math.floor((Date.now() - deps.startedAt.getTime()) / 1_000),
    services,
  }
}

async function measure(probe: () => Promise<unknown>): Promise<ServiceState> {
  const started = performance.now()
  const latency = () => Math.round(performance.now() - started)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), probeTimeoutMs)
  })
  try {
    const answer = await Promise.race([probe(), late])
    const degraded = answer !== null && typeof answer === 'object' && 'status' in answer && answer.status === 'degraded'
    return { status: degraded ? 'degraded' : 'operational', latency_ms: latency() }
  } catch {
    return { status: 'down', latency_ms: latency() }
  } finally {
    clearTimeout(timer)
  }
}

/** Rate limits and quotas per plan, as /limits answers them. */
export function limitsAnswer(config: RouteDeps['config']) {
  return {
    rate_limits: {
      authenticated_per_minute: config.RATE_LIMIT_PER_MINUTE,
      unauthenticated_per_minute: config.RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE,
    },
    plans: planNames.map((plan) => ({
      plan,
      monthly_quota: plans[plan].monthlyQuota,
      batch_max_files: plans[plan].batchFilesMax,
      features: plans[plan].features,
    })),
    ledger_plans: ledgerPlanNames.map((plan) => ({ plan, features: ledgerPlans[plan] })),
    files: {
      invoice_max_bytes: limits.invoiceFileBytesMax,
      certificate_max_bytes: limits.certificateFileBytesMax,
      attachment_max_bytes: limits.attachmentFileBytesMax,
    },
    idempotency_ttl_hours: limits.idempotencyTtlHours,
    batch_job_ttl_hours: limits.batchJobTtlHours,
  }
}

/** This build's version. */
export const ownVersion = (): string =>
  String(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version)
