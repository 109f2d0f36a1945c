import { type Consumer, consumer } from '@asiento/chassis/consume'
import type { Schedule } from '@asiento/chassis/schedule'
import type { Handlers, OperationsOf } from '@asiento/proto/rpc'
import type { Tables } from '../../adapters/tables.ts'
import { extractedData, quotaData, signedData } from '../../domain/webhook-payload.ts'
import { forgetOldDeliveries, listDeliveries, redeliver, testWebhook } from './delivery-log.ts'
import { createDeliveryRunner } from './delivery-runner.ts'
import { deliveryChannel, type WebhookDeps } from './deps.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
} from './manage-webhooks.ts'
import { followAccount, queueEvent } from './queue-event.ts'
import { rewrapSecrets } from './rewrap-secrets.ts'

export interface Webhooks {
  handlers: Pick<Handlers<'notifications'>, OperationsOf<'notifications'>>
  consumers: readonly Consumer<Tables>[]
  schedules: readonly Schedule[]
  close(): Promise<void>
}

/** Everything about webhooks: registration, deliveries, and the events that make them. */
export async function createWebhooks(deps: WebhookDeps, firstKid: string): Promise<Webhooks> {
  const runner = createDeliveryRunner(deps)
  const stopListening = await deps.db.listen(deliveryChannel, () => runner.wake())
  return {
    handlers: {
      createWebhook: ({ body }, { actor }) => createWebhook(deps)(actor, body),
      listWebhooks: (_input, { actor }) => listWebhooks(deps)(actor),
      getWebhook: ({ params }, { actor }) => getWebhook(deps)(actor, params.id),
      updateWebhook: ({ params, body }, { actor }) => updateWebhook(deps)(actor, params.id, body),
      deleteWebhook: ({ params }, { actor }) => deleteWebhook(deps)(actor, params.id),
      rotateWebhookSecret: ({ params }, { actor }) => rotateSecret(deps)(actor, params.id),
      testWebhook: ({ params }, { actor }) => testWebhook(deps)(actor, params.id),
      listWebhookDeliveries: ({ params }, { actor }) => listDeliveries(deps)(actor, params.id),
      redeliverWebhook: ({ params }, { actor }) => redeliver(deps)(actor, params.id, params.delivery_id),
    },
    consumers: consumers(deps),
    schedules: [
      { name: 'deliver-webhooks', everyMs: 500, run: async () => runner.wake() },
      { name: 'forget-old-deliveries', everyMs: 3_600_000, run: forgetOldDeliveries(deps) },
      { name: 'rewrap-webhook-secrets', everyMs: 3_600_000, run: rewrapSecrets(deps, firstKid) },
    ],
    close: async () => {
      await stopListening()
      await runner.close()
      await deps.client.close()
    },
  }
}

const consumers = (deps: WebhookDeps): readonly Consumer<Tables>[] => [
  consumer<Tables, 'invoice.extracted'>({
    event: 'invoice.extracted',
    group: 'notifications.extracted',
    togetherMax: 100,
    handle: async (tx, { id, occurredAt, payload }) => {
      if (payload.scope.sandbox) return
      await queueEvent(deps, tx, {
        event: 'invoice.extracted',
        eventId: id,
        occurredAt: new Date(occurredAt),
        userId: payload.scope.userId,
        orderKey: `log:${payload.logId}`,
        data: () => extractedData(payload),
      })
    },
  }),
  consumer<Tables, 'invoice.signed'>({
    event: 'invoice.signed',
    group: 'notifications.signed',
    togetherMax: 100,
    handle: async (tx, { id, occurredAt, payload }) => {
      if (payload.scope.sandbox) return
      await queueEvent(deps, tx, {
        event: 'invoice.signed',
        eventId: id,
        occurredAt: new Date(occurredAt),
        userId: payload.scope.userId,
        orderKey: `log:${payload.logId}`,
        data: () => signedData(payload),
      })
    },
  }),
  consumer<Tables, 'quota.warning'>({
    event: 'quota.warning',
    group: 'notifications.quota',
    handle: (tx, { id, occurredAt, payload }) =>
      queueEvent(deps, tx, {
        event: 'quota.warning',
        eventId: id,
        occurredAt: new Date(occurredAt),
        userId: payload.userId,
        orderKey: `quota:${payload.period}`,
        data: (owner) => quotaData(payload, owner.locale),
      }),
  }),
  consumer<Tables, 'account.changed'>({
    event: 'account.changed',
    group: 'notifications.accounts',
    handle: (tx, { id, payload }) => followAccount(deps, tx, payload.userId, id),
  }),
]
