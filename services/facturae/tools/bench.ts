import { sign } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { OpenedKey } from '../src/certificates/open-p12.ts'
import { signFacturae } from '../src/signing/sign.ts'
import { fixtureKey } from '../test/certificates/fixtures.ts'
import { signByXadesjs } from '../test/judges/xadesjs.ts'
import { sampleInvoice } from '../test/signing/sample-invoice.ts'

export interface SigningBench {
  /** Signatures a second of processor time, an invoice of 25 kB with RSA-2048. */
  signPerSecond: number
  /** Bare `crypto.sign` with the same key, in the same run. */
  barePerSecond: number
  /** Part of the bare rate: 1 is all of it. */
  ratio: number
  /** The same where the invoice holds characters beyond Latin-1 (€, —), which the runtime converts to UTF-8 more slowly. */
  wideRatio: number
  /** The same with EC P-256. */
  ecPerSecond: number
  /** What two threads do of what one does. */
  twoThreads: number
  /** Signatures a second of xadesjs, one thread. */
  xadesjsPerSecond: number
  /** Time a line of 10,000 lines takes, of what one of 1,000 takes: 1 is linear. */
  growth: number
}

const signedAt = new Date('2026-06-01T10:00:00Z')

/** Measures signing against the bare key, alternating in rounds so that a busy machine disturbs both alike. */
export async function benchSigning({
  rounds = 7,
  roundMs = 400,
}: {
  rounds?: number
  roundMs?: number
} = {}): Promise<SigningBench> {
  const key = await fixtureKey()
  const ec = await fixtureKey('ec.p12')
  const wide = sampleInvoice({ lines: 25 })
  const invoice = inLatin1(wide)
  const message = Buffer.alloc(1_500, 'x')
  const signWide = (): void => void signFacturae(wide, key, { signedAt, known: 'canonical' })
  const signOnce = (): void => void signFacturae(invoice, key, { signedAt, known: 'canonical' })
  const bareOnce = (): void => void sign('sha256', message, key.privateKey)
  rate(signOnce, roundMs)
  rate(bareOnce, roundMs)
  const pairs = Array.from({ length: rounds }, () => ({
    bare: rate(bareOnce, roundMs),
    signed: rate(signOnce, roundMs),
    wide: rate(signWide, roundMs),
  }))
  const twoThreads = (await threadRate(key, 2, roundMs * 4)) / (await threadRate(key, 1, roundMs * 4))
  return {
    signPerSecond: median(pairs.map(({ signed }) => signed)),
    barePerSecond: median(pairs.map(({ bare }) => bare)),
    ratio: median(pairs.map(({ signed, bare }) => signed / bare)),
    wideRatio: median(pairs.map(({ wide, bare }) => wide / bare)),
    ecPerSecond: rate(() => void signFacturae(invoice, ec, { signedAt, known: 'canonical' }), roundMs),
    twoThreads,
    xadesjsPerSecond: await xadesjsRate(invoice, key, roundMs * 2),
    growth: perLineMs(10_000, key) / perLineMs(1_000, key),
  }
}

/** How often a second of processor time: garbage collection on other threads counts, other programs on the machine do not. */
function rate(once: () => void, forMs: number): number {
  const before = process.cpuUsage()
  const started = performance.now()
  let done = 0
  while (performance.now() - started < forMs) {
    for (let i = 0; i < 10; i += 1) once()
    done += 10
  }
  const { user, system } = process.cpuUsage(before)
  return (done * 1e6) / (user + system)
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Read back from bytes, since the runtime keeps one byte a character only of text that was made so. */
const inLatin1 = (xml: string): string => Buffer.from(xml.replace(/[^\0-\u00ff]/gu, '-'), 'utf8').toString('utf8')

function perLineMs(lines: number, key: OpenedKey): number {
  const xml = sampleInvoice({ lines })
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now()
    signFacturae(xml, key, { signedAt, known: 'canonical' })
    return performance.now() - started
  })
  return median(times) / lines
}

async function xadesjsRate(invoice: string, key: OpenedKey, forMs: number): Promise<number> {
  const signOnce = await signByXadesjs(invoice, key)
  await signOnce()
  const started = performance.now()
  let done = 0
  for (; performance.now() - started < forMs; done += 1) await signOnce()
  return (done * 1000) / (performance.now() - started)
}

/** Signatures a second of so many threads together. */
async function threadRate(key: OpenedKey, threads: number, forMs: number): Promise<number> {
  const counts = await Promise.all(
    Array.from({ length: threads }, () => {
      const worker = new Worker(new URL('./bench.worker.ts', import.meta.url), { workerData: { key, forMs } })
      return new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject))
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

if (import.meta.main) console.log(await benchSigning())
