import { consumer, type Definition, groupConsumer } from '@asiento/chassis/consume'
import type { Schedule } from '@asiento/chassis/schedule'
import type { Actor } from '@asiento/proto/actor'
import type { EventMessage } from '@asiento/proto/events'
import type { Handlers, OperationsOf } from '@asiento/proto/rpc'
import type { Tables } from '../../adapters/tables.ts'
import { extractedData, quotaData, signedData } from '../../domain/webhook-payload.ts'
import { forgetOldDeliveries, listDeliveries, redeliver, testWebhook } from './delivery-log.ts'
import { createDeliveryRunner, type DeliveryRunner } from './delivery-runner.ts'
import { deliveryChannel, type WebhookDeps } from './deps.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
} from './manage-webhooks.ts'
import { followAccount, queueEvents } from './queue-events.ts'
import { rewrapSecrets } from './rewrap-secrets.ts'

export interface Webhooks {
  handlers: Pick<Handlers<'notifications'>, OperationsOf<'notifications'>>
  consumers: readonly Definition<Tables>[]
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
    consumers: consumers(deps, runner),
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

/** So many events share the transaction in which their deliveries are written. */
const togetherMax = 100

const consumers = (deps: WebhookDeps, runner: DeliveryRunner): readonly Definition<Tables>[] => [
  groupConsumer<Tables, 'invoice.extracted'>({
    event: 'invoice.extracted',
    group: 'notifications.extracted',
    togetherMax,
    handleAll: (tx, events) => {
      const news = events
        .filter(({ payload }) => !payload.scope.sandbox)
        .map(({ payload, ...event }) => ({ ...aboutInvoice(event, payload), data: () => extractedData(payload) }))
      return queueEvents(deps, runner, tx, news)
    },
  }),
  groupConsumer<Tables, 'invoice.signed'>({
    event: 'invoice.signed',
    group: 'notifications.signed',
    togetherMax,
    handleAll: (tx, events) => {
      const news = events
        .filter(({ payload }) => !payload.scope.sandbox)
        .map(({ payload, ...event }) => ({ ...aboutInvoice(event, payload), data: () => signedData(payload) }))
      return queueEvents(deps, runner, tx, news)
    },
  }),
  groupConsumer<Tables, 'quota.warning'>({
    event: 'quota.warning',
    group: 'notifications.quota',
    togetherMax,
    handleAll: (tx, events) => {
      const news = events.map(({ id, name, occurredAt, payload }) => ({
        event: name,
        eventId: id,
        occurredAt: new Date(occurredAt),
        userId: payload.userId,
        orderKey: `quota:${payload.period}`,
        data: (owner: Actor) => quotaData(payload, owner.locale),
      }))
      return queueEvents(deps, runner, tx, news)
    },
  }),
  consumer<Tables, 'account.changed'>({
    event: 'account.changed',
    group: 'notifications.accounts',
    handle: (tx, { id, payload }) => followAccount(deps, tx, payload.userId, id),
  }),
]

type InvoiceEvent = 'invoice.extracted' | 'invoice.signed'

const aboutInvoice = <N extends InvoiceEvent>(
  { id, name, occurredAt }: Pick<EventMessage<N>, 'id' | 'name' | 'occurredAt'>,
  { logId, scope }: { logId: number; scope: { userId: number } },
) => ({
  event: name,
  eventId: id,
  occurredAt: new Date(occurredAt),
  userId: scope.userId,
  orderKey: `log:${logId}`,
})
