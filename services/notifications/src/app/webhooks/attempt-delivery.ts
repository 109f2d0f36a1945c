import type { Attempt } from '../../domain/after-attempt.ts'
import { signatureHeaders } from '../../domain/sign-delivery.ts'
import type { ClaimedDelivery, WebhookOfDelivery } from './claim-deliveries.ts'
import { attemptTimeoutMs, type WebhookDeps } from './deps.ts'
import { keysOf } from './manage-webhooks.ts'

type Sendable = Pick<ClaimedDelivery, 'id' | 'event'> & {
  webhook: Pick<WebhookOfDelivery, 'user_id' | 'url' | 'secret' | 'previous_secret' | 'previous_until'>
}

/** Signs and sends a delivery once, over the exact bytes that are stored. */
export function attemptDelivery(
  deps: Pick<WebhookDeps, 'client' | 'keyring' | 'clock'>,
  { id, event: { event, body, test }, webhook }: Sendable,
): Promise<Attempt> {
  const headers = signatureHeaders({
    deliveryId: id,
    event,
    body,
    timestamp: Math.floor(deps.clock.now().getTime() / 1_000),
    ...keysOf(deps, webhook),
  })
  return deps.client.send({
    method: 'POST',
    url: webhook.url,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(test ? { 'x-factura-test': 'true' } : {}),
      ...headers,
    },
    body,
    timeoutMs: attemptTimeoutMs,
  })
}
