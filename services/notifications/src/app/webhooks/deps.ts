import type { Clock, Ids } from '@asiento/chassis/clock'
import type { Database } from '@asiento/chassis/db'
import type { Log } from '@asiento/chassis/log'
import type { Sealer } from '@asiento/chassis/sealed'
import type { RpcClients } from '@asiento/proto/rpc'
import type { StoredEnvelope, Tables } from '../../adapters/tables.ts'
import type { WebhookClient } from '../../adapters/webhook-client.ts'
import type { SigningKeys } from '../../domain/sign-delivery.ts'

/** What the use cases of webhooks stand on. */
export interface WebhookDeps {
  db: Database<Tables>
  rpc: RpcClients
  log: Log
  clock: Clock
  ids: Ids
  client: WebhookClient
  sealer: Sealer
  keyring: (stored: StoredEnvelope, userId: number) => SigningKeys
  retrySeconds: readonly number[]
  /** Requests at a time to one webhook, and in all. */
  perDestination: number
  concurrency: number
}

/** The channel that wakes the delivery of webhooks. */
export const deliveryChannel = 'notifications_deliveries'

export const attemptTimeoutMs = 10_000
