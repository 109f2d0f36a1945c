import type { Attempt } from '../../domain/after-attempt.ts'
import { signatureHeaders } from '../../domain/sign-delivery.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { attemptTimeoutMs, type WebhookDeps } from './deps.ts'
import { keysOf } from './manage-webhooks.ts'

type Sendable = Pick<
  ClaimedDelivery,
  'id' | 'event' | 'body' | 'test' | 'url' | 'user_id' | 'secret' | 'previous_secret' | 'previous_until'
>

/** Signs and sends a delivery once, over the exact bytes that are stored. */
export function attemptDelivery(
  deps: Pick<WebhookDeps, 'client' | 'keyring' | 'clock'>,
  delivery: Sendable,
): Promise<Attempt> {
  const body = Buffer.from(delivery.body, 'utf8')
  const headers = signatureHeaders({
    deliveryId: delivery.id,
    event: delivery.event,
    body,
    timestamp: Math.floor(deps.clock.now().getTime() / 1_000),
    ...keysOf(deps, delivery),
  })
  return deps.client.send({
    method: 'POST',
    url: delivery.url,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(delivery.test ? { 'x-factura-test': 'true' } : {}),
      ...headers,
    },
    body,
    timeoutMs: attemptTimeoutMs,
  })
}
