import { attemptDelivery } from './attempt-delivery.ts'
import { type ClaimedDelivery, claimDeliveries, releaseDeliveries } from './claim-deliveries.ts'
import { attemptTimeoutMs, type WebhookDeps } from './deps.ts'
import { type Finished, recordAttempts } from './record-attempts.ts'

const closeWithinMs = 12_000
/** Results are written so many at once, or after so long. */
const resultsAtOnce = 100
const resultsWithinMs = 10
/** So many deliveries are claimed for each that may be on its way: the next are there when a place becomes free. */
const ahead = 2
const leaseNeededMs = attemptTimeoutMs + 3_000

export interface DeliveryRunner {
  /** Looks for due deliveries; returns at once. */
  wake(): void
  /** Takes no more deliveries and waits for those on their way. */
  close(): Promise<void>
}

/**
 * Sends due deliveries, bounded in all and per webhook. Claims and results are written in batches, so that the database
 * sees a few statements a round and not a few a delivery, and the next deliveries are claimed while the last are sent.
 */
export function createDeliveryRunner(deps: WebhookDeps): DeliveryRunner {
  const running = new Set<Promise<void>>()
  /** Claimed, and not yet sent. */
  let waiting: ClaimedDelivery[] = []
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
    })
    running.add(work)
  }
  /** An attempt that began later could outlast its lease. */
  const isLate = ({ leaseUntil }: ClaimedDelivery) => leaseUntil.getTime() - deps.clock.now().getTime() < leaseNeededMs
  const mayStart = (delivery: ClaimedDelivery) =>
    (sending.get(delivery.webhook_id) ?? 0) < deps.perDestination && !isLate(delivery)
  /** Starts what waits and has a place, oldest first. */
  const fill = () => {
    while (!closed && running.size < deps.concurrency) {
      const next = waiting.findIndex(mayStart)
      const [delivery] = next < 0 ? [] : waiting.splice(next, 1)
      if (delivery === undefined) return
      start(delivery)
    }
  }
  const release = async (which: (delivery: ClaimedDelivery) => boolean) => {
    const given = waiting.filter(which)
    if (given.length === 0) return
    waiting = waiting.filter((delivery) => !given.includes(delivery))
    for (const { webhook_id: id } of given) count(busy, id, -1)
    await releaseDeliveries(deps, given)
  }
  const flush = async () => {
    while (results.length > 0) {
      const finished = results
      results = []
      try {
        await recordAttempts(deps, finished)
      } catch (error) {
        results.push(...finished)
        throw error
      }
    }
  }
  const freePlaces = () => deps.concurrency * ahead - running.size - waiting.length
  const claim = async () => {
    do {
      again = false
      await release(isLate)
      const free = freePlaces()
      if (free <= 0 || closed) return
      const claimed = await claimDeliveries(deps, { count: free, perWebhook: deps.perDestination * ahead, busy })
      mayHaveMore = claimed.length > 0
      for (const { webhook_id: id } of claimed) count(busy, id, 1)
      waiting.push(...claimed)
      fill()
    } while (again)
  }
  // Writing results and claiming go on side by side: neither waits for the other's round trip.
  const flushing = oneAtATime(deps, flush)
  const claiming = oneAtATime(deps, claim)
  const wake = () => {
    again = true
    void claiming()
  }
  /** A claim pays when there is room for many. Results let the later deliveries of the same invoice go. */
  const write = () => {
    clearTimeout(timer)
    timer = undefined
    if (mayHaveMore && freePlaces() >= resultsAtOnce) wake()
    void flushing().then(() => {
      if (running.size + waiting.length <= deps.concurrency) wake()
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
      await release(() => true).catch((error) => deps.log.warn({ err: error }, 'claims not given back'))
      await flushing()
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
