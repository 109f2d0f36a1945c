import type { Kafka, Producer, RetryOptions } from 'kafkajs'
import type { BusMessage } from './bus.ts'

export interface PartitionBatch {
  topic: string
  partition: number
  messages: BusMessage[]
}

export interface KafkaProducer {
  connect(): Promise<void>
  /** Resolves when all in-sync replicas have the batch. */
  send(batch: PartitionBatch): Promise<void>
  close(): Promise<void>
}

/**
 * An idempotent producer that is replaced after a send has failed. Whether the failed batch was written is not known, and
 * kafkajs counts its sequence as unused: a later, longer batch under the same number is refused by the broker for ever
 * (OUT_OF_ORDER_SEQUENCE_NUMBER). A new producer begins a new count; what comes twice is known by its event id.
 */
export function createProducer(options: {
  kafka: Kafka
  metadataMaxAgeMs: number
  retry: RetryOptions
}): KafkaProducer {
  const open = () =>
    options.kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      metadataMaxAge: options.metadataMaxAgeMs,
      allowAutoTopicCreation: false,
      retry: options.retry,
    })
  let producer = open()
  let connected: Promise<void> | undefined

  const connect = () => {
    const mine = producer
    connected ??= mine.connect().catch((error) => {
      replace(mine)
      throw error
    })
    return connected
  }
  const replace = (failed: Producer) => {
    if (producer !== failed) return
    producer = open()
    connected = undefined
    failed.disconnect().catch(() => {})
  }
  return {
    connect,
    send: async ({ topic, partition, messages }) => {
      await connect()
      const mine = producer
      try {
        await mine.send({
          topic,
          acks: -1,
          messages: messages.map(({ key, value, headers }) => ({ key, value, headers, partition })),
        })
      } catch (error) {
        replace(mine)
        throw error
      }
    },
    close: () => producer.disconnect(),
  }
}
