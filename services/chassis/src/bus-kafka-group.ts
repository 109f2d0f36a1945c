import type { Consumer, EachMessagePayload, Kafka, RetryOptions } from 'kafkajs'
import type { Subscription } from './bus.ts'
import type { Log } from './log.ts'

/** How long the partitions of a member that died without a word wait for another; brokers allow no less than 6 s. */
const sessionTimeoutMs = 10_000
const heartbeatMs = 3_000
const reopenAfterMs = 1_000

export interface KafkaGroup {
  /** As the broker knows it, with its prefix. */
  id: string
  topics: readonly string[]
  /** Leaves the group at once, after the running messages. */
  close(): Promise<void>
}

/**
 * A member of a consumer group, kept alive: it joins in the background, says that it lives while a message is worked on
 * for long, and is opened anew where kafkajs gives up (after an error that it takes for final it stops for good).
 */
export function openGroup(options: {
  kafka: Kafka
  group: string
  members: readonly Subscription[]
  retry: RetryOptions
  metadataMaxAgeMs: number
  log: Log
}): KafkaGroup {
  const { kafka, group, members, log } = options
  const id = `asiento.${group}`
  const topics = members.map((member) => member.topic)
  let closed = false
  let consumer: Consumer | undefined
  let reopening: NodeJS.Timeout | undefined

  const open = async () => {
    const next = kafka.consumer({
      groupId: id,
      metadataMaxAge: options.metadataMaxAgeMs,
      sessionTimeout: sessionTimeoutMs,
      heartbeatInterval: heartbeatMs,
      maxWaitTimeInMs: 100,
      allowAutoTopicCreation: false,
      retry: { ...options.retry, restartOnFailure: async () => !closed },
    })
    consumer = next
    next.on(next.events.CRASH, ({ payload: { error, restart } }) => {
      log.error({ err: error, group }, 'consumer restarts')
      if (!restart) again()
    })
    try {
      await next.connect()
      await next.subscribe({ topics, fromBeginning: true })
      await next.run({
        partitionsConsumedConcurrently: 4,
        eachMessage: (payload) => deliver(members, payload, isClosed),
      })
    } catch (error) {
      log.error({ err: error, group }, 'consumer restarts')
      await next.disconnect().catch(() => {})
      again()
    }
  }
  const again = () => {
    clearTimeout(reopening)
    if (closed) return
    reopening = setTimeout(() => {
      opening = open()
    }, reopenAfterMs)
  }
  const isClosed = () => closed
  let opening = open()
  return {
    id,
    topics,
    close: async () => {
      closed = true
      clearTimeout(reopening)
      await consumer?.disconnect()
      await opening
      // One that was still joining has joined meanwhile.
      await consumer?.disconnect()
    },
  }
}

/** Hands one message to its subscription, with a heartbeat of its own: the work may outlast the session. */
async function deliver(
  members: readonly Subscription[],
  { topic, message, heartbeat }: EachMessagePayload,
  isClosed: () => boolean,
): Promise<void> {
  const member = members.find((candidate) => candidate.topic === topic)
  if (isClosed()) throw new Error('bus closed')
  if (member === undefined || message.value === null) return
  const headers = Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)])
  // A failure shows at the next heartbeat that somebody waits for.
  const beating = setInterval(() => void heartbeat().catch(() => {}), heartbeatMs)
  try {
    await member.handle(
      {
        topic,
        key: message.key?.toString() ?? '',
        value: message.value.toString(),
        headers: Object.fromEntries(headers),
      },
      {
        heartbeat: async () => {
          if (isClosed()) throw new Error('bus closed')
          await heartbeat()
        },
      },
    )
  } finally {
    clearInterval(beating)
  }
}
