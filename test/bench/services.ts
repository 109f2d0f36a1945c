import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@asiento/chassis/embedded-postgres'
import { benchSigning } from '../../services/facturae/tools/bench.ts'
import { benchBuild } from '../../services/facturae/tools/bench-build.ts'
import { benchLedger } from '../../services/ledger/tools/bench.ts'
import { benchBank } from '../../services/ledger/tools/bench-bank.ts'
import { benchEventLatency, benchFanOut } from '../../services/notifications/tools/bench.ts'
import { benchRisk } from '../../services/risk/tools/bench.ts'
import { startKafka } from '../provision/kafka.ts'
import { type Figure, short } from './figure.ts'

/** Signing and building against bare `crypto.sign`. */
export async function benchFacturae(): Promise<Figure[]> {
  const signing = await benchSigning({ rounds: 9, roundMs: 250 })
  const build = await benchBuild({ rounds: 9, roundMs: 250 })
  return [
    {
      name: 'signing an invoice with RSA-2048, of bare crypto.sign',
      ours: `${short(signing.signPerSecond)}/s`,
      baseline: `${short(signing.barePerSecond)}/s`,
      ratio: signing.ratio,
      target: { atLeast: 0.8 },
    },
    {
      name: 'build, rules, XSD and signature, of bare crypto.sign',
      ours: `${short(build.wholePerSecond)}/s`,
      baseline: `${short(build.barePerSecond)}/s`,
      ratio: build.ratio,
      target: { atLeast: 0.25 },
    },
    {
      name: 'signing on two threads, of one',
      ours: 'two threads',
      baseline: 'one thread',
      ratio: signing.twoThreads,
      target: { atLeast: 1.8 },
    },
    {
      name: 'signing, time per line at 10,000 lines over 1,000',
      ours: '10,000 lines',
      baseline: '1,000 lines',
      ratio: signing.growth,
      target: { atMost: 1.5 },
    },
  ]
}

/** Growth of bank matching in memory. */
export async function benchMatching(): Promise<Figure[]> {
  return benchBank([1_000, 10_000, 100_000], 3).flatMap((row): Figure[] => {
    if (row.exponent === null) return []
    return [
      {
        name: `bank matching to ${row.entries} entries, growth exponent (${row.scenario})`,
        ours: `${short(row.bestMs)} ms`,
        baseline: 'a tenth of it',
        ratio: row.exponent,
        target: { atMost: 1.15 },
      },
    ]
  })
}

/** Posting, matching and lists of a large account. */
export async function benchBooks({ entries = 1_000_000 } = {}): Promise<Figure[]> {
  const rows = await withPostgres(async (url) => {
    process.env.TEST_POSTGRES_URL = url
    return benchLedger({ entries })
  })
  return rows.flatMap(({ what, value, unit, goal }): Figure[] => {
    const target = goal === null ? undefined : /^(?<sign>[≥≤]) (?<limit>[\d.]+)/u.exec(goal)?.groups
    if (target === undefined) return []
    const limit = Number(target.limit)
    return [
      {
        name: `ledger: ${what}`,
        ours: `${value} ${unit}`,
        baseline: 'see name',
        ratio: value,
        target: target.sign === '≥' ? { atLeast: limit } : { atMost: limit },
      },
    ]
  })
}

/** Risk with a large account; only its bulk check is a ratio, the assessment has a limit in time. */
export async function benchAssessing({ invoices = 1_000_000 } = {}): Promise<Figure[]> {
  const result = await withPostgres((url) => benchRisk({ url, invoices, rounds: 200 }))
  return [
    {
      name: `risk: assessment with ${invoices} invoices, median ms`,
      ours: `${result.assessMedianMs} ms`,
      baseline: '-',
      ratio: result.assessMedianMs,
      target: { atMost: 10 },
    },
    {
      name: 'risk: bulk check, of the bare indexed select',
      ours: `${short(result.bulkChecksPerSecond)}/s`,
      baseline: `${short(result.bareSelectsPerSecond)}/s`,
      ratio: result.bulkRatio,
      target: { atLeast: 0.4 },
    },
  ]
}

/** Webhook fan-out of a bare client, and the way of an event through outbox and Kafka of a bare produce and consume. */
export async function benchDelivering(): Promise<Figure[]> {
  return withPostgres(async (url) => {
    process.env.TEST_POSTGRES_URL = url
    const fanOut = await benchFanOut()
    const kafka = await startKafka()
    const latency = await benchEventLatency(kafka.brokers).finally(() => kafka.stop())
    return [
      {
        name: 'webhook fan-out over HTTPS, of a bare client',
        ours: `${short(fanOut.deliveriesPerSecond)}/s`,
        baseline: `${short(fanOut.barePerSecond)}/s`,
        ratio: fanOut.ratio,
        target: { atLeast: 0.5 },
      },
      {
        name: 'event from commit to consumer, p95, over bare produce and consume',
        ours: `${short(latency.p95Ms)} ms`,
        baseline: `${short(latency.bareP95Ms)} ms`,
        ratio: latency.ratio,
        target: { atMost: 5 },
      },
    ]
  })
}

/** Runs with a database server of its own. */
export async function withPostgres<R>(work: (url: string) => Promise<R>): Promise<R> {
  const directory = await mkdtemp(join(tmpdir(), 'asiento-bench-'))
  const postgres = await startEmbeddedPostgres({ directory, disposable: true })
  try {
    return await work(postgres.url)
  } finally {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
