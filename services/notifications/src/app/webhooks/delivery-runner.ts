import { attemptDelivery } from './attempt-delivery.ts'
import { type ClaimedDelivery, claimDeliveries } from './claim-deliveries.ts'
import type { WebhookDeps } from './deps.ts'
import { type Finished, recordAttempts } from './record-attempts.ts'

const closeWithinMs = 12_000
/** Results are written so many at once, or after so long. */
const resultsAtOnce = 100
const resultsWithinMs = 10

export interface DeliveryRunner {
  /** Looks for due deliveries; returns at once. */
  wake(): void
  /** Takes no more deliveries and waits for those on their way. */
  close(): Promise<void>
}

/**
 * Sends due deliveries, bounded in all and per webhook. Claims and results are written in batches, so that the database
 * sees a few statements a round and not a few a delivery.
 */
export function createDeliveryRunner(deps: WebhookDeps): DeliveryRunner {
  const running = new Set<Promise<void>>()
  const busy = new Map<number, number>()
  let results: Finished[] = []
  let timer: NodeJS.Timeout | undefined
  let again = false
  let closed = false

  const count = (id: number, change: 1 | -1) => {
    const next = (busy.get(id) ?? 0) + change
    if (next > 0) busy.set(id, next)
    else busy.delete(id)
  }
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
    count(delivery.webhook_id, 1)
    const work = send(delivery).finally(() => {
      running.delete(work)
      count(delivery.webhook_id, -1)
      if (results.length >= resultsAtOnce) write()
      else timer ??= setTimeout(write, resultsWithinMs)
    })
    running.add(work)
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
  const claim = async () => {
    do {
      again = false
      const free = deps.concurrency - running.size
      if (free <= 0 || closed) return
      const claimed = await claimDeliveries(deps, { count: free, busy })
      for (const delivery of claimed) start(delivery)
    } while (again)
  }
  // Writing results and claiming go on side by side: neither waits for the other's round trip.
  const flushing = oneAtATime(deps, flush)
  const claiming = oneAtATime(deps, claim)
  const wake = () => {
    again = true
    void claiming()
  }
  /** Results first: they let the later deliveries of the same invoice go. A claim pays when there is room for many. */
  const write = () => {
    clearTimeout(timer)
    timer = undefined
    void flushing().then(() => {
      if (running.size <= deps.concurrency / 2) wake()
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
      await flushing()
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
