import { flag, whole } from '@asiento/chassis/config'
import { z } from 'zod'

/** The gateway's environment. */
export const gatewayEnvironment = z.object({
  PORT: whole({ min: 0, max: 65535, fallback: 8080 }),
  HOST: z.string().default('0.0.0.0'),
  /** The address that clients use; links and the cookie's origin are made from it. */
  PUBLIC_URL: z.url().optional(),
  RATE_LIMIT_PER_MINUTE: whole({ min: 1, max: 1_000_000, fallback: 60 }),
  RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: whole({ min: 1, max: 1_000_000, fallback: 10 }),
  /** True when a balancer sets X-Forwarded-For. */
  TRUST_PROXY: flag(false),
  /** Longest wait for a request's body and for its answer, in seconds. */
  REQUEST_TIMEOUT_SECONDS: whole({ min: 5, max: 3_600, fallback: 300 }),
})

export type GatewayConfig = z.output<typeof gatewayEnvironment>
