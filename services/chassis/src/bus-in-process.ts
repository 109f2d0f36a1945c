import type { Bus, BusMessage, Subscription } from './bus.ts'
import type { Log } from './log.ts'

/**
 * The bus of a single process. It keeps nothing itself: `send` resolves only when every group has applied the messages,
 * so the outbox row is the memory, and a process that dies in between sends them again.
 */
export function createInProcessBus(options: { log: Log }): Bus {
  const subscriptions = new Map<string, Subscription[]>()
  const tails = new Map<string, Promise<void>>()
  let closed = false

  const heartbeat = async () => {
    if (closed) throw new Error('bus closed')
  }
  const deliver = async (subscription: Subscription, message: BusMessage) => {
    for (let attempt = 1; !closed; attempt += 1) {
      try {
        return await subscription.handle(message, { heartbeat })
      } catch (error) {
        options.log.warn({ err: error, group: subscription.group, topic: message.topic, attempt }, 'will deliver again')
        await pause(Math.min(5_000, 50 * 2 ** attempt))
      }
    }
    throw new Error('bus closed')
  }

  /** One chain a group and key keeps their order while other keys go on. */
  const enqueue = (subscription: Subscription, message: BusMessage): Promise<void> => {
    const lane = `${subscription.group}\n${message.topic}\n${message.key}`
    const previous = tails.get(lane) ?? Promise.resolve()
    const next = previous.catch(() => {}).then(() => deliver(subscription, message))
    tails.set(lane, next)
    return next.finally(() => {
      if (tails.get(lane) === next) tails.delete(lane)
    })
  }

  return {
    send: async (messages) => {
      if (closed) throw new Error('bus closed')
      await Promise.all(
        messages.flatMap((message) =>
          (subscriptions.get(message.topic) ?? []).map((subscription) => enqueue(subscription, message)),
        ),
      )
    },
    subscribe: (subscription) => {
      subscriptions.set(subscription.topic, [...(subscriptions.get(subscription.topic) ?? []), subscription])
    },
    start: async () => {},
    close: async () => {
      closed = true
      await Promise.allSettled(tails.values())
    },
    probe: async () => {},
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())
