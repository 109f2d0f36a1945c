import type { ClaimedDelivery, WebhookOfDelivery } from './claim-deliveries.ts'

interface Lane {
  waiting: ClaimedDelivery[]
  /** How many are on their way. */
  sending: number
}

/** Deliveries of one process that wait or are on their way, by webhook. */
export interface DeliveryLanes {
  add(delivery: ClaimedDelivery): void
  /** The next one that has a place, each webhook in its turn; it takes the place until {@link end}. */
  next(): ClaimedDelivery | undefined
  end(delivery: ClaimedDelivery): void
  /** Takes out what waits for a webhook. */
  empty(webhookId: number): ClaimedDelivery[]
  /** Gives what waits for a webhook the webhook as it is now. */
  refresh(webhook: WebhookOfDelivery): void
  webhookIds(): number[]
  busy(): Map<number, number>
  busyOf(webhookId: number): number
  waiting(): number
  sending(): number
}

/** Bounds what is on its way: `perDestination` a webhook, `concurrency` in all. */
export function createDeliveryLanes(bounds: { perDestination: number; concurrency: number }): DeliveryLanes {
  const lanes = new Map<number, Lane>()
  /** Webhooks with something that waits and a place for it, whose turn comes in this order. */
  const ready = new Set<number>()
  let waiting = 0
  let sending = 0

  const settle = (id: number, lane: Lane) => {
    if (lane.waiting.length > 0 && lane.sending < bounds.perDestination) ready.add(id)
    else ready.delete(id)
    if (lane.waiting.length + lane.sending === 0) lanes.delete(id)
  }
  const empty = (id: number): ClaimedDelivery[] => {
    const lane = lanes.get(id)
    if (lane === undefined) return []
    const out = lane.waiting.splice(0)
    waiting -= out.length
    settle(id, lane)
    return out
  }
  const busyIn = (lane: Lane | undefined) => (lane === undefined ? 0 : lane.waiting.length + lane.sending)
  return {
    add: (delivery) => {
      const { id } = delivery.webhook
      const lane = lanes.get(id) ?? { waiting: [], sending: 0 }
      lanes.set(id, lane)
      lane.waiting.push(delivery)
      waiting += 1
      settle(id, lane)
    },
    next: () => {
      const [id] = ready
      if (id === undefined || sending >= bounds.concurrency) return undefined
      const lane = lanes.get(id)
      const delivery = lane?.waiting.shift()
      if (lane === undefined || delivery === undefined) return undefined
      lane.sending += 1
      sending += 1
      waiting -= 1
      // Behind the others.
      ready.delete(id)
      settle(id, lane)
      return delivery
    },
    end: ({ webhook: { id } }) => {
      const lane = lanes.get(id)
      if (lane === undefined) return
      lane.sending -= 1
      sending -= 1
      settle(id, lane)
    },
    empty,
    refresh: (webhook) => {
      for (const delivery of lanes.get(webhook.id)?.waiting ?? []) delivery.webhook = webhook
    },
    webhookIds: () => [...lanes.keys()],
    busy: () => new Map([...lanes].map(([id, lane]) => [id, busyIn(lane)])),
    busyOf: (id) => busyIn(lanes.get(id)),
    waiting: () => waiting,
    sending: () => sending,
  }
}
