import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestService } from '@asiento/chassis/testing/service'
import { createWorkerPool } from '@asiento/chassis/workers'
import type { Upload } from '@asiento/proto/operation'
import { madridDate } from '@asiento/proto/time'
import type { PipelineTask } from '../src/pipeline/worker.ts'
import { extraction } from '../src/service.ts'
import { createJob, getJob, jobProgress, neighbours, type Service } from '../test/batch/kit.ts'
import { drawInvoice } from './generator/draw.ts'
import { families } from './generator/families.ts'
import { makeInvoice } from './generator/make-invoice.ts'
import { random } from './generator/random.ts'

export interface BatchBench {
  files: number
  /** CPU-seconds of this process with its threads, a file; the database's own are not in it. */
  jobSecondsPerFile: number
  /** The same files through the bare pipeline on as many threads. */
  bareSecondsPerFile: number
  ratio: number
}

const threads = 2
const turnFiles = 20
const warmTurns = 3
const askEveryMs = 500

/**
 * What a batch job costs against the bare pipeline over the same digital PDFs. Both go in turns of a few files each, so
 * that both see the same machine; the first turns warm up, and collect what drawing the files left. Needs
 * TEST_POSTGRES_URL.
 */
export async function benchBatch({ files = 60 } = {}): Promise<BatchBench> {
  const drawn: Uint8Array[][] = []
  for (const seed of ['a', 'b', 'c']) drawn.push(await drawMany(seed))
  const turns = Array.from(
    { length: warmTurns + Math.ceil(files / turnFiles) },
    (_, turn) => drawn[turn % drawn.length],
  )
  const service = await startTestService(extraction, {
    rpc: neighbours({ credits: 1_000_000 }).rpc,
    environment: { OCR_WORKERS: String(threads) },
  })
  const pool = createWorkerPool<PipelineTask, unknown>({
    module: new URL('../src/pipeline/worker.ts', import.meta.url),
    // A job leaves one thread to those who wait for an answer.
    threadsMax: threads - 1,
    queueMax: turnFiles,
    timeoutMs: 120_000,
  })
  const context = { today: madridDate(new Date()) }
  const runBare = (pdfs: readonly Uint8Array[]) =>
    Promise.all(
      pdfs.map((pdf) =>
        pool.run({ kind: 'read', bytes: pdf.slice(), filename: 'factura.pdf', context, doubtBelow: 0 }),
      ),
    )
  try {
    const spent = { job: 0, bare: 0, files: 0 }
    for (const [turn, pdfs = []] of turns.entries()) {
      const bare = await cpuSeconds(() => runBare(pdfs))
      const uploads = await upload(service, pdfs)
      const job = await cpuSeconds(() => runJob(service, uploads))
      if (turn < warmTurns) continue
      spent.bare += bare
      spent.job += job
      spent.files += pdfs.length
    }
    const { job, bare, files: measured } = spent
    return {
      files: measured,
      jobSecondsPerFile: job / measured,
      bareSecondsPerFile: bare / measured,
      ratio: job / bare,
    }
  } finally {
    await pool.close()
    await service.stop()
  }
}

async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** As the gateway leaves them. */
const upload = (service: Service, pdfs: readonly Uint8Array[]): Promise<Upload[]> =>
  Promise.all(
    pdfs.map(async (pdf, index) => {
      const stored = await service.objects.put(`uploads/2026-01-01/${randomUUID()}`, pdf)
      const filename = `${index}.pdf`
      return { field: 'files', filename, contentType: 'application/pdf', objectKey: stored.key, ...stored }
    }),
  )

/** A job from its acceptance to its end: its progress is asked now and then, its results are read once. */
async function runJob(service: Service, files: Upload[]): Promise<void> {
  const { job_id } = await createJob(service, files)
  while ((await jobProgress(service, job_id)).status === 'running') await pause(askEveryMs)
  const job = await getJob(service, job_id)
  if (job.failed > 0) throw new Error(`${job.failed} of ${job.total} files failed`)
}

const drawMany = (seed: string): Promise<Uint8Array[]> =>
  Promise.all(
    Array.from({ length: turnFiles }, async (_, index) => {
      const name = `batch/${seed}/${index}`
      const family = random(name).pick(families.dev)
      return (await drawInvoice(random(`${name}/layout`), makeInvoice(random(name)), family)).bytes
    }),
  )
