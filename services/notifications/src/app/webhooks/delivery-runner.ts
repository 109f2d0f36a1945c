import { attemptDelivery } from './attempt-delivery.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  releaseDeliveries,
  renewDeliveries,
  renewMs,
} from './claim-deliveries.ts'
import type { WebhookDeps } from './deps.ts'
import { type Finished, recordAttempts } from './record-attempts.ts'

const closeWithinMs = 12_000
/** Results are written so many at once, or after so long. */
const resultsAtOnce = 250
const resultsWithinMs = 50
/** So many deliveries are claimed for each that may be on its way: the next are there when a place becomes free. */
const ahead = 2

export interface DeliveryRunner {
  /** Looks for due deliveries; returns at once. */
  wake(): void
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
  /** Claimed, and the result not yet written. */
  const held = new Set<ClaimedDelivery>()
  const running = new Set<Promise<void>>()
  /** Claimed, and not yet sent. */
  const waiting: ClaimedDelivery[] = []
  /** By webhook: what is on its way, and that with what waits. */
  const sending = new Map<number, number>()
  const busy = new Map<number, number>()
  let results: Finished[] = []
  let timer: NodeJS.Timeout | undefined
  let again = false
  let mayHaveMore = false
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
    count(sending, delivery.webhook_id, 1)
    const work = send(delivery).finally(() => {
      running.delete(work)
      count(sending, delivery.webhook_id, -1)
      count(busy, delivery.webhook_id, -1)
      fill()
      if (results.length >= resultsAtOnce) write()
      else timer ??= setTimeout(write, resultsWithinMs)
      if (mayHaveMore && !hasEnough()) wake()
    })
    running.add(work)
  }
  /** Somebody else may have taken it since. */
  const isLost = ({ leaseUntil }: ClaimedDelivery) => leaseUntil <= deps.clock.now()
  const hasPlace = ({ webhook_id }: ClaimedDelivery) => (sending.get(webhook_id) ?? 0) < deps.perDestination
  /** Starts what waits and has a place, oldest first. */
  const fill = () => {
    while (!closed && running.size < deps.concurrency) {
      const next = waiting.findIndex(hasPlace)
      const [delivery] = next < 0 ? [] : waiting.splice(next, 1)
      if (delivery === undefined) return
      if (isLost(delivery)) forget(delivery)
      else start(delivery)
    }
  }
  const forget = (delivery: ClaimedDelivery) => {
    held.delete(delivery)
    count(busy, delivery.webhook_id, -1)
  }
  const flush = async () => {
    while (results.length > 0) {
      const finished = results
      results = []
      try {
        await recordAttempts(deps, finished)
        for (const { delivery } of finished) held.delete(delivery)
      } catch (error) {
        results.push(...finished)
        throw error
      }
    }
  }
  /** All places are taken and half as many deliveries wait: a claim would bring a handful. */
  const hasEnough = () => running.size >= deps.concurrency && waiting.length >= deps.concurrency / 2
  const claim = async () => {
    do {
      again = false
      mayHaveMore = true
      const free = deps.concurrency * ahead - running.size - waiting.length
      if (free <= 0 || closed || hasEnough()) return
      const claimed = await claimDeliveries(deps, { count: free, perWebhook: deps.perDestination * ahead, busy })
      mayHaveMore = claimed.length > 0
      for (const delivery of claimed) {
        held.add(delivery)
        count(busy, delivery.webhook_id, 1)
      }
      waiting.push(...claimed)
      fill()
    } while (again)
  }
  // Writing results and claiming go on side by side: neither waits for the other's round trip.
  const flushing = oneAtATime(deps, flush)
  const claiming = oneAtATime(deps, claim)
  const renewing = oneAtATime(deps, async () => {
    if (held.size > 0) await renewDeliveries(deps, [...held])
  })
  const renewal = setInterval(() => void renewing(), renewMs)
  const wake = () => {
    again = true
    void claiming()
  }
  /** Results let the later deliveries of the same invoice go. */
  const write = () => {
    clearTimeout(timer)
    timer = undefined
    void flushing().then(() => {
      if (mayHaveMore || running.size + waiting.length <= deps.concurrency) wake()
    })
  }
  return {
    wake,
    close: async () => {
      closed = true
      const late = Promise.withResolvers<void>()
      const patience = setTimeout(late.resolve, closeWithinMs)
      await Promise.race([Promise.all(running), late.promise])
      clearTimeout(patience)
      clearTimeout(timer)
      await claiming()
      await releaseDeliveries(deps, waiting).catch((error) => deps.log.warn({ err: error }, 'claims not given back'))
      await flushing()
      clearInterval(renewal)
      // A renewal that is under way ends before the database closes.
      held.clear()
      await renewing()
    },
  }
}

function count(places: Map<number, number>, id: number, change: 1 | -1): void {
  const next = (places.get(id) ?? 0) + change
  if (next > 0) places.set(id, next)
  else places.delete(id)
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
