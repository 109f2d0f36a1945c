import { type Admin, Kafka, type KafkaConfig, logLevel } from 'kafkajs'
import type { Bus, BusMessage, Subscription } from './bus.ts'
import './kafkajs-queue.ts'
import { type KafkaGroup, openGroup } from './bus-kafka-group.ts'
import { createProducer, type PartitionBatch } from './bus-kafka-producer.ts'
import type { ChassisConfig } from './config.ts'
import { watchLag } from './kafka-lag.ts'
import type { Log } from './log.ts'

/** A dead broker means a pause of 9 to 13 s; these keep it there instead of at minutes. */
const requestTimeoutMs = 5_000
const metadataMaxAgeMs = 5_000
const topicsWithinMs = 60_000
const retry = { retries: 12, initialRetryTime: 200, maxRetryTime: 3_000 }

/**
 * The bus on Apache Kafka through kafkajs.
 *
 * Every `send()` of the producer carries one partition: with several, kafkajs 2.2.4 silently loses acknowledged messages
 * when a broker leaves (tulios/kafkajs#1303). The producer is idempotent with acks of all in-sync replicas; the outbox
 * relay is the outer retry.
 */
export function createKafkaBus(options: { config: ChassisConfig; clientId: string; log: Log }): Bus {
  const { config, log } = options
  const kafka = new Kafka(clientConfig(options))
  const producer = createProducer({ kafka, metadataMaxAgeMs, retry })
  const admin = kafka.admin({ retry })
  const subscriptions: Subscription[] = []
  let groups: KafkaGroup[] = []
  const partitionCounts = new Map<string, number>()
  let administering: Promise<void> | undefined
  let unwatch: () => unknown = () => {}

  /** Tried again by whoever needs it next. */
  const connect = async () => {
    administering ??= admin.connect().catch((error) => {
      administering = undefined
      throw error
    })
    await administering
    await producer.connect()
  }
  const partitionsOf = async (topic: string): Promise<number> => {
    const known = partitionCounts.get(topic)
    if (known !== undefined) return known
    await ensureTopics(admin, [topic], config)
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
    const count = topics[0]?.partitions.length ?? 0
    if (count === 0) throw new Error(`topic ${topic} has no partitions`)
    partitionCounts.set(topic, count)
    return count
  }

  return {
    send: async (messages) => {
      await connect()
      await Promise.all((await byPartition(messages, partitionsOf)).map(producer.send))
    },
    subscribe: (subscription) => {
      subscriptions.push(subscription)
    },
    start: async () => {
      await connect()
      await ensureTopics(admin, [...new Set(subscriptions.map((subscription) => subscription.topic))], config)
      const byGroup = [...Map.groupBy(subscriptions, (subscription) => subscription.group)]
      groups = byGroup.map(([group, members]) => openGroup({ kafka, group, members, retry, metadataMaxAgeMs, log }))
      const watched = groups.map(({ id, topics }) => ({ groupId: id, topics }))
      unwatch = watchLag(admin, watched, log)
    },
    close: async () => {
      unwatch()
      // disconnect() leaves the group at once; without it the group waits for the session to end.
      await Promise.allSettled(groups.map((group) => group.close()))
      await Promise.allSettled([producer.close(), admin.disconnect()])
    },
    probe: async () => {
      await connect()
      await admin.describeCluster()
    },
  }
}

/** Groups messages by topic and partition, keeping their order within each. */
export async function byPartition(
  messages: readonly BusMessage[],
  partitionsOf: (topic: string) => Promise<number>,
): Promise<PartitionBatch[]> {
  const batches = new Map<string, PartitionBatch>()
  for (const message of messages) {
    const partition = partitionFor(message.key, await partitionsOf(message.topic))
    const id = `${message.topic}/${partition}`
    const batch = batches.get(id) ?? { topic: message.topic, partition, messages: [] }
    batch.messages.push(message)
    batches.set(id, batch)
  }
  return [...batches.values()]
}

/** FNV-1a over the key: any stable spread will do, because only this producer writes these topics. */
export function partitionFor(key: string, count: number): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(key)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash % count
}

/**
 * Makes the topics that are missing. Processes that start together race for it: whoever comes second finds the topic
 * there, perhaps still without leaders, so the whole is tried again until every topic can be written.
 */
async function ensureTopics(admin: Admin, topics: string[], config: ChassisConfig): Promise<void> {
  const deadline = Date.now() + topicsWithinMs
  for (;;) {
    try {
      const existing = new Set(await admin.listTopics())
      const missing = topics.filter((topic) => !existing.has(topic))
      if (missing.length > 0) {
        await admin.createTopics({
          waitForLeaders: false,
          topics: missing.map((topic) => ({
            topic,
            numPartitions: config.KAFKA_PARTITIONS,
            replicationFactor: config.KAFKA_REPLICATION_FACTOR,
          })),
        })
      }
      await admin.fetchTopicMetadata({ topics })
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}

function clientConfig({ config, clientId, log }: { config: ChassisConfig; clientId: string; log: Log }): KafkaConfig {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = config
  return {
    clientId: `asiento-${clientId}`,
    brokers: (config.KAFKA_BROKERS ?? '').split(',').map((broker) => broker.trim()),
    ssl: config.KAFKA_SSL,
    ...(mechanism && username && password ? { sasl: { mechanism, username, password } as never } : {}),
    connectionTimeout: 3_000,
    requestTimeout: requestTimeoutMs,
    retry,
    logLevel: logLevel.WARN,
    logCreator:
      () =>
      ({ level, log: entry }) =>
        level <= logLevel.ERROR
          ? log.warn({ kafka: entry }, entry.message)
          : log.debug({ kafka: entry }, entry.message),
  }
}
