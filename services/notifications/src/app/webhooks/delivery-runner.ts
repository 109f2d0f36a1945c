import { attemptDelivery } from './attempt-delivery.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  releaseDeliveries,
  renewDeliveries,
  renewMs,
  webhooksOf,
} from './claim-deliveries.ts'
import { createDeliveryLanes } from './delivery-lanes.ts'
import type { WebhookDeps } from './deps.ts'
import { type Finished, recordAttempts } from './record-attempts.ts'

const closeWithinMs = 12_000
/** Results are written so many at once, or after so long. */
const resultsAtOnce = 500
const resultsWithinMs = 50
/** So many deliveries are claimed for each that may be on its way: the next are there when a place becomes free. */
const ahead = 2
/** So many may be held that were written as claimed: they cost no claim of their own. */
const heldAhead = 16

export interface DeliveryRunner {
  /** Looks for due deliveries; returns at once. */
  wake(): void
  /** How many new deliveries of a webhook may be written as claimed by this runner. */
  room(webhookId: number): number
  /** Sends deliveries that were written so. */
  take(deliveries: readonly ClaimedDelivery[]): void
  /** Takes no more deliveries and waits for those on their way. */
  close(): Promise<void>
}

/**
 * Sends due deliveries, bounded in all and per webhook. Claims and results are written in batches, so that the database
 * sees a few statements a round and not a few a delivery, and the next deliveries are claimed while the last are sent.
 * Leases are short and renewed as long as a delivery is held: whoever dies is followed soon, and an attempt is begun only
 * under a lease that lasts.
 */
export function createDeliveryRunner(deps: WebhookDeps): DeliveryRunner {
  const { perDestination, concurrency } = deps
  /** Claimed, and the result not yet written. */
  const held = new Set<ClaimedDelivery>()
  const lanes = createDeliveryLanes({ perDestination, concurrency })
  const running = new Set<Promise<void>>()
  let results: Finished[] = []
  let timer: NodeJS.Timeout | undefined
  let again = false
  let mayHaveMore = false
  let writing = false
  let closed = false

  const send = async (delivery: ClaimedDelivery) => {
    try {
      // Not in one expression: `results` may be another list once the attempt is over.
      const attempt = await attemptDelivery(deps, delivery)
      results.push({ delivery, attempt })
    } catch (error) {
      // A secret that cannot be opened: the lease keeps the delivery away from the receivers that work.
      held.delete(delivery)
      deps.log.error({ err: error, delivery: delivery.id }, 'delivery not attempted')
    }
  }
  const start = (delivery: ClaimedDelivery) => {
    const work = send(delivery).finally(() => {
      running.delete(work)
      lanes.end(delivery)
      fill()
      writeSoon()
      if (mayHaveMore && !hasEnough()) wake()
    })
    running.add(work)
  }
  /** Starts what waits and has a place. */
  const fill = () => {
    while (!closed) {
      const delivery = lanes.next()
      if (delivery === undefined) return
      // Somebody else may have taken one whose lease has ended.
      if (delivery.leaseUntil > deps.clock.now()) start(delivery)
      else drop(delivery)
    }
  }
  const drop = (delivery: ClaimedDelivery) => {
    held.delete(delivery)
    lanes.end(delivery)
  }
  const take = (deliveries: readonly ClaimedDelivery[]) => {
    for (const delivery of deliveries) {
      held.add(delivery)
      lanes.add(delivery)
    }
    fill()
  }
  const giveBack = async (deliveries: readonly ClaimedDelivery[]) => {
    for (const delivery of deliveries) held.delete(delivery)
    await releaseDeliveries(deps, deliveries).catch((error) => deps.log.warn({ err: error }, 'claims not given back'))
  }
  const flush = async () => {
    const finished = results
    results = []
    try {
      const failing = await recordAttempts(deps, finished)
      for (const { delivery } of finished) held.delete(delivery)
      // What else waits for a webhook that fails is claimed anew, one at a time.
      await giveBack(failing.flatMap(lanes.empty))
    } catch (error) {
      results.push(...finished)
      throw error
    }
  }
  /** All places are taken and half as many deliveries wait: a claim would bring a handful. */
  const hasEnough = () => lanes.sending() >= concurrency && lanes.waiting() >= concurrency / 2
  const claim = async () => {
    do {
      again = false
      mayHaveMore = true
      const count = concurrency * ahead - lanes.sending() - lanes.waiting()
      if (count <= 0 || closed || hasEnough()) return
      const claimed = await claimDeliveries(deps, { count, perWebhook: perDestination * ahead, busy: lanes.busy() })
      mayHaveMore = claimed.length > 0
      take(claimed)
    } while (again)
  }
  // Writing results and claiming go on side by side: neither waits for the other's round trip.
  const flushing = oneAtATime(deps, flush)
  const claiming = oneAtATime(deps, claim)
  const renewing = oneAtATime(deps, async () => {
    if (held.size === 0) return
    await renewDeliveries(deps, [...held])
    // What has been switched off, changed or deleted since is not sent as if it had not.
    const ids = lanes.webhookIds()
    const webhooks = await webhooksOf(deps, ids)
    for (const webhook of webhooks.values()) lanes.refresh(webhook)
    await giveBack(ids.filter((id) => !webhooks.has(id)).flatMap(lanes.empty))
  })
  const renewal = setInterval(() => void renewing(), renewMs)
  const wake = () => {
    again = true
    void claiming()
  }
  const writeSoon = () => {
    if (results.length >= resultsAtOnce) void write()
    else if (results.length > 0) timer ??= setTimeout(write, resultsWithinMs)
  }
  /** Results let the later deliveries of the same invoice go. */
  const write = async () => {
    clearTimeout(timer)
    timer = undefined
    if (writing) return
    writing = true
    await flushing()
    writing = false
    writeSoon()
    if (mayHaveMore || lanes.sending() + lanes.waiting() <= concurrency) wake()
  }
  return {
    wake,
    room: (webhookId) => {
      if (closed) return 0
      const inAll = concurrency * heldAhead - held.size
      return Math.max(0, Math.min(inAll, perDestination * heldAhead - lanes.busyOf(webhookId)))
    },
    take,
    close: async () => {
      closed = true
      const late = Promise.withResolvers<void>()
      const patience = setTimeout(late.resolve, closeWithinMs)
      await Promise.race([Promise.all(running), late.promise])
      clearTimeout(patience)
      clearTimeout(timer)
      await claiming()
      await giveBack(lanes.webhookIds().flatMap(lanes.empty))
      // The one under way may have begun before the last result came.
      await flushing()
      await flushing()
      clearInterval(renewal)
      // A renewal that is under way ends before the database closes.
      held.clear()
      await renewing()
    },
  }
}

/** Runs `work` never beside itself; a call while it runs joins it. A failure is logged and left to the next wake-up. */
function oneAtATime({ log }: Pick<WebhookDeps, 'log'>, work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= work()
      .catch((error) => log.warn({ err: error }, 'deliveries will be looked for again'))
      .finally(() => {
        running = undefined
      })
    return running
  }
}
