import type { Admin } from 'kafkajs'
import { Gauge } from 'prom-client'
import type { Log } from './log.ts'
import { metrics } from './telemetry.ts'

export interface LagWatch {
  /** As the broker knows it, with its prefix. */
  groupId: string
  topics: readonly string[]
}

type Watcher = () => Promise<{ groupId: string; topic: string; lag: number }[]>
const watchers = new Set<Watcher>()

const gauge = new Gauge({
  name: 'asiento_kafka_consumer_lag',
  help: 'Messages that a consumer group has not committed yet',
  labelNames: ['group', 'topic'],
  registers: [metrics],
  // Asked of the broker when the metric is read, so that a group that stands still shows too.
  collect: async () => {
    const rows = (await Promise.all([...watchers].map((watcher) => watcher()))).flat()
    gauge.reset()
    for (const { groupId, topic, lag } of rows) gauge.set({ group: groupId, topic }, lag)
  },
})

/** Shows the lag of groups in the metrics. Returns how to stop. */
export function watchLag(
  admin: Pick<Admin, 'fetchOffsets' | 'fetchTopicOffsets'>,
  groups: readonly LagWatch[],
  log: Log,
) {
  const watcher: Watcher = async () => {
    try {
      return (await Promise.all(groups.map((group) => lagOf(admin, group)))).flat()
    } catch (error) {
      log.warn({ err: error }, 'consumer lag cannot be read')
      return []
    }
  }
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** End offset less committed offset, summed over a topic's partitions; a partition without a commit counts whole. */
export async function lagOf(
  admin: Pick<Admin, 'fetchOffsets' | 'fetchTopicOffsets'>,
  { groupId, topics }: LagWatch,
): Promise<{ groupId: string; topic: string; lag: number }[]> {
  const committed = await admin.fetchOffsets({ groupId, topics: [...topics] })
  return Promise.all(
    committed.map(async ({ topic, partitions }) => {
      const ends = await admin.fetchTopicOffsets(topic)
      const lag = ends.reduce((sum, end) => {
        const offset = Number(partitions.find((each) => each.partition === end.partition)?.offset ?? -1)
        return sum + Math.max(0, Number(end.high) - (offset < 0 ? Number(end.low) : offset))
      }, 0)
      return { groupId, topic, lag }
    }),
  )
}
