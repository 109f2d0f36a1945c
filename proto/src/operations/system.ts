import { z } from 'zod'
import { operation } from '../operation.ts'
import { ledgerPlanNames, planNames } from '../plans.ts'
import { listOf, pageQuery, quotaSchema, timestampSchema } from '../schemas/common.ts'

const base = { service: 'gateway', tag: 'System', method: 'GET' } as const

const featuresSchema = z.record(z.string(), z.boolean())

const statusSchema = z.object({
  status: z.enum(['operational', 'degraded', 'down']),
  version: z.string(),
  uptime_seconds: z.number().int(),
  services: z.record(
    z.string(),
    z.object({ status: z.enum(['operational', 'degraded', 'down']), latency_ms: z.number().int() }),
  ),
})

const limitsSchema = z.object({
  rate_limits: z.object({ authenticated_per_minute: z.number().int(), unauthenticated_per_minute: z.number().int() }),
  plans: z.array(
    z.object({
      plan: z.enum(planNames),
      monthly_quota: z.number().int(),
      batch_max_files: z.number().int(),
      features: featuresSchema,
    }),
  ),
  ledger_plans: z.array(z.object({ plan: z.enum(ledgerPlanNames), features: featuresSchema })),
  files: z.object({
    invoice_max_bytes: z.number().int(),
    certificate_max_bytes: z.number().int(),
    attachment_max_bytes: z.number().int(),
  }),
  idempotency_ttl_hours: z.number().int(),
  batch_job_ttl_hours: z.number().int(),
})

const requestLogSchema = z.object({
  request_id: z.string(),
  method: z.string(),
  path: z.string(),
  status_code: z.number().int(),
  /** Milliseconds. */
  duration: z.number().int(),
  sandbox: z.boolean(),
  error_code: z.string().nullable(),
  created_at: timestampSchema,
  ip: z.string().nullable(),
})

/** Rows of the operation table: what the door itself answers. */
export const systemOperations = {
  health: operation({
    ...base,
    id: 'health',
    path: '/health',
    summary: 'Lightweight status for load balancers',
    auth: 'none',
    rateExempt: true,
    response: { kind: 'json', status: 200, schema: z.object({ status: z.literal('ok') }) },
  }),
  ping: operation({
    ...base,
    id: 'ping',
    path: '/ping',
    summary: 'Ultra-light check for external monitors',
    auth: 'none',
    rateExempt: true,
    response: { kind: 'text', status: 200 },
  }),
  status: operation({
    ...base,
    id: 'status',
    path: '/status',
    summary: 'Version, uptime and the state of every dependency, really probed',
    auth: 'none',
    response: { kind: 'json', status: 200, schema: statusSchema },
  }),
  limits: operation({
    ...base,
    id: 'limits',
    path: '/limits',
    summary: 'Rate limits and quotas per plan',
    auth: 'none',
    response: { kind: 'json', status: 200, schema: limitsSchema },
  }),
  quota: operation({
    ...base,
    id: 'quota',
    path: '/quota',
    summary: 'The quota that the caller draws on',
    auth: 'key_or_jwt',
    response: { kind: 'json', status: 200, schema: quotaSchema },
  }),
  requestLogs: operation({
    ...base,
    id: 'requestLogs',
    path: '/request-logs',
    summary: "The caller's own requests of the last 30 days, newest first",
    auth: 'key_or_jwt',
    query: z.object({
      ...pageQuery,
      path: z.string().max(500).default('').describe('Begins with'),
      status: z.coerce.number().int().min(0).max(999).default(0).describe('0 means all'),
    }),
    response: { kind: 'json', status: 200, schema: listOf(requestLogSchema) },
  }),
}
