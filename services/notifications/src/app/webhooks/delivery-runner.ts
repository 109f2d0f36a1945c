import { attemptDelivery } from './attempt-delivery.ts'
import { type ClaimedDelivery, claimDeliveries } from './claim-deliveries.ts'
import type { WebhookDeps } from './deps.ts'
import { type Finished, recordAttempts } from './record-attempts.ts'

const closeWithinMs = 12_000

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
  let looping: Promise<void> | undefined
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
      wake()
    })
    running.add(work)
  }
  const flush = async () => {
    const finished = results
    results = []
    if (finished.length === 0) return
    try {
      await recordAttempts(deps, finished)
    } catch (error) {
      results.push(...finished)
      throw error
    }
  }
  const loop = async () => {
    do {
      again = false
      await flush()
      const free = deps.concurrency - running.size
      if (free <= 0 || closed) continue
      const claimed = await claimDeliveries(deps, { count: free, busy })
      for (const delivery of claimed) start(delivery)
    } while (again)
  }
  const wake = () => {
    again = true
    looping ??= loop()
      .catch((error) => deps.log.warn({ err: error }, 'deliveries will be looked for again'))
      .finally(() => {
        looping = undefined
      })
  }
  return {
    wake,
    close: async () => {
      closed = true
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, closeWithinMs)
      await Promise.race([Promise.all(running), late.promise])
      clearTimeout(timer)
      await looping
      await flush().catch((error) => deps.log.warn({ err: error }, 'last results not written'))
    },
  }
}
