import { randomUUID } from 'node:crypto'
import { testActor } from '@asiento/chassis/testing/service'
import type { ErrorCode } from '@asiento/proto/errors'
import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { forgetOldJobs } from '../../src/app/batch/forget-jobs.ts'
import {
  cancelJob,
  createJob,
  ended,
  extractBatch,
  getJob,
  listJobs,
  neighbours,
  type Service,
  startExtraction,
  uploads,
} from './kit.ts'

let service: Service | undefined
afterEach(async () => {
  await service?.stop()
  service = undefined
})

async function start(options: Parameters<typeof neighbours>[0] = {}) {
  const { book, rpc } = neighbours(options)
  service = await startExtraction(rpc)
  return { service, book }
}

const failsWith = (code: ErrorCode) => expect.objectContaining({ code })
const finishedEvents = (running: Service) =>
  running.db.query.selectFrom('outbox').select(['event_id', 'payload']).where('name', '=', 'batch.finished').execute()

describe('a job', () => {
  test('ends with one result a file in the order of the files, and says so once', async () => {
    const { service, book } = await start()
    const [refused] = await uploads(service, 1)
    const junk = await uploads(service, 1, 'no document')
    const good = await uploads(service, 3)
    const error = { code: 'FILE_TOO_LARGE' as const, detail: 'too large' }
    const files = [...good, ...junk, ...(refused ? [{ ...refused, error }] : [])]
    const { job_id } = await createJob(service, files)
    const job = await ended(service, job_id)
    expect(job).toMatchObject({ status: 'done', total: 5, processed: 5, failed: 2 })
    expect(job.items.map((item) => item.status)).toEqual(['ok', 'ok', 'ok', 'error', 'error'])
    expect(job.items[3]?.result).toMatchObject({ error_code: 'FILE_CONTENT_MISMATCH' })
    expect(job.items[4]?.result).toMatchObject({ error_code: 'FILE_TOO_LARGE', error: 'too large' })
    expect(book.reserved.size).toBe(3)
    expect(await finishedEvents(service)).toHaveLength(1)
    // What was read is kept as the original; what was not goes.
    expect(await service.objects.get(`batch/${job_id}/0`)).not.toBeNull()
    await vi.waitFor(async () => expect(await service.objects.get(`batch/${job_id}/3`)).toBeNull(), { timeout: 20_000 })
  })

  test('whose result cannot be stored tries that file again, and ends the files beside it', async () => {
    const { service, book } = await start({ unwritable: 1 })
    const { job_id } = await createJob(service, await uploads(service, 4))
    expect(await ended(service, job_id)).toMatchObject({ status: 'done', processed: 4, failed: 0 })
    const logs = await service.db.query.selectFrom('logs').select(['status', 'credit']).orderBy('status').execute()
    expect(logs).toEqual([
      { status: 'error', credit: 'release' },
      ...Array.from({ length: 4 }, () => ({ status: 'ok', credit: 'commit' })),
    ])
    expect(book.reserved.size).toBe(5)
  })

  test('of 40 files does not starve a job of 3 files of another account', async () => {
    const { service } = await start()
    const small = testActor({ userId: 2 })
    const big = await createJob(service, await uploads(service, 40))
    const { job_id } = await createJob(service, await uploads(service, 3), small)
    await ended(service, job_id, small)
    await ended(service, big.job_id)
    // By what is written down: whoever looks may look late.
    const { rows } = await sql<{ meanwhile: number }>`
      select count(*)::int as meanwhile from batch_items i, batch_jobs small
      where i.job_id = ${big.job_id} and small.job_id = ${job_id}
        and i.finished_at between small.created_at and small.finished_at`.execute(service.db.query)
    expect(rows[0]?.meanwhile).toBeLessThan(20)
  })

  test('whose holder died under a reserved credit is taken over: same log, one credit, no second event', async () => {
    const { service, book } = await start({ away: 1_000_000 })
    const { job_id } = await createJob(service, await uploads(service, 1))
    const item = await service.db.query.selectFrom('batch_items').selectAll().executeTakeFirstOrThrow()
    await service.db.query
      .insertInto('logs')
      .values({
        work_id: item.work_id,
        user_id: 1,
        sandbox: false,
        source: 'batch',
        status: 'running',
        filename: item.filename,
        sha256: item.sha256,
        size_bytes: item.size_bytes,
        content_type: item.content_type,
        created_at: new Date(),
      } as never)
      .onConflict((conflict) => conflict.column('work_id').doUpdateSet({ status: 'running' }))
      .execute()
    book.reserved.add(`extraction:${item.work_id}`)
    book.away = 0
    const job = await ended(service, job_id)
    expect(job).toMatchObject({ status: 'done', processed: 1, failed: 0 })
    const logs = await service.db.query.selectFrom('logs').select(['work_id', 'status']).execute()
    expect(logs).toEqual([{ work_id: item.work_id, status: 'ok' }])
    expect([...book.reserved]).toEqual([`extraction:${item.work_id}`])
    const events = await service.db.query
      .selectFrom('outbox')
      .select('name')
      .where('name', '=', 'invoice.extracted')
      .execute()
    expect(events).toHaveLength(1)
  })

  test('waits for a dependency that is away and charges each file once', async () => {
    const { service, book } = await start({ away: 3 })
    const { job_id } = await createJob(service, await uploads(service, 2))
    expect(await ended(service, job_id)).toMatchObject({ status: 'done', processed: 2, failed: 0 })
    expect(book.reserved.size).toBe(2)
    expect(await service.db.query.selectFrom('logs').select('id').execute()).toHaveLength(2)
  })

  test('beyond the quota ends with QUOTA_EXCEEDED items; a quota at zero refuses the next one', async () => {
    const { service } = await start({ credits: 1 })
    const { job_id } = await createJob(service, await uploads(service, 3))
    const job = await ended(service, job_id)
    expect(job).toMatchObject({ status: 'done', processed: 3, failed: 2 })
    const codes = job.items.filter((item) => item.status === 'error').map((item) => item.result)
    expect(codes).toEqual([
      { error: expect.any(String), error_code: 'QUOTA_EXCEEDED' },
      { error: expect.any(String), error_code: 'QUOTA_EXCEEDED' },
    ])
    await expect(createJob(service, await uploads(service, 1))).rejects.toEqual(failsWith('QUOTA_EXCEEDED'))
  })

  test('that is cancelled drops what waits, costs nothing for it, and cannot be cancelled once it has ended', async () => {
    const { service, book } = await start()
    const { job_id } = await createJob(service, await uploads(service, 30))
    expect(await cancelJob(service, job_id)).toEqual({ job_id, status: 'cancelled' })
    expect(await cancelJob(service, job_id)).toEqual({ job_id, status: 'cancelled' })
    const job = await ended(service, job_id)
    expect(job.status).toBe('cancelled')
    expect(job.processed).toBeLessThan(30)
    expect(book.reserved.size).toBeLessThan(30)
    const done = await createJob(service, await uploads(service, 1))
    await ended(service, done.job_id)
    await expect(cancelJob(service, done.job_id)).rejects.toEqual(failsWith('INVALID_STATE'))
  })

  test('asked for twice by one idempotent request is one job', async () => {
    const { service } = await start()
    const workId = randomUUID()
    const first = await createJob(service, await uploads(service, 2), testActor(), workId)
    const second = await createJob(service, await uploads(service, 2), testActor(), workId)
    expect(second).toEqual(first)
    expect(await ended(service, first.job_id)).toMatchObject({ total: 2, processed: 2 })
  })

  test('is forgotten after two days, with what files it left; the originals of its logs stay', async () => {
    const { service } = await start()
    const { job_id } = await createJob(service, await uploads(service, 2))
    await ended(service, job_id)
    const { db, objects } = service
    await db.query.updateTable('logs').set({ document_key: null }).where('filename', '=', '1.pdf').execute()
    const later = { now: () => new Date(Date.now() + 49 * 3_600_000) }
    await forgetOldJobs({ db, objects, clock: later })()
    expect(await db.query.selectFrom('batch_items').select('position').execute()).toEqual([])
    expect(await objects.get(`batch/${job_id}/0`)).not.toBeNull()
    expect(await objects.get(`batch/${job_id}/1`)).toBeNull()
  })

  test('is seen by those who may see it', async () => {
    const { service } = await start()
    const key = testActor({ via: 'key', keyId: 7 })
    const { job_id } = await createJob(service, await uploads(service, 1), key)
    await ended(service, job_id)
    const otherKey = testActor({ via: 'key', keyId: 8 })
    expect((await listJobs(service, key)).jobs).toHaveLength(1)
    expect((await listJobs(service)).jobs).toHaveLength(1)
    expect((await listJobs(service, otherKey)).jobs).toHaveLength(0)
    await expect(getJob(service, job_id, otherKey)).rejects.toEqual(failsWith('JOB_NOT_FOUND'))
    await expect(getJob(service, job_id, testActor({ userId: 2 }))).rejects.toEqual(failsWith('ACCESS_DENIED'))
    await expect(getJob(service, randomUUID())).rejects.toEqual(failsWith('JOB_NOT_FOUND'))
    await expect(getJob(service, 'none')).rejects.toEqual(failsWith('JOB_NOT_FOUND'))
    await service.db.query
      .updateTable('batch_jobs')
      .set({ created_at: new Date(Date.now() - 24 * 3_600_000 - 1_000) })
      .execute()
    await expect(getJob(service, job_id)).rejects.toEqual(failsWith('JOB_NOT_FOUND'))
    expect((await listJobs(service)).jobs).toHaveLength(0)
  })

  test('takes as many files as the plan allows', async () => {
    const { service } = await start()
    const starter = testActor({ plan: 'starter' })
    const files = await uploads(service, 21)
    await expect(createJob(service, files, starter)).rejects.toEqual(failsWith('BATCH_LIMIT_EXCEEDED'))
  })
})

describe('a synchronous batch', () => {
  test('answers one item a file in input order, wrong files as errors', async () => {
    const { service, book } = await start()
    const files = [...(await uploads(service, 2)), ...(await uploads(service, 1, 'junk'))]
    const results = await extractBatch(service, files)
    expect(results.map((result) => [result.filename, result.status])).toEqual([
      ['0.pdf', 'ok'],
      ['1.pdf', 'ok'],
      ['0.pdf', 'error'],
    ])
    expect(results[2]).toMatchObject({ error_code: 'FILE_CONTENT_MISMATCH', error: expect.any(String) })
    expect(book.reserved.size).toBe(2)
  })

  test('taken over after a crash repeats no file, even with the quota used up by itself', async () => {
    const { service, book } = await start({ credits: 2 })
    const workId = randomUUID()
    const first = await extractBatch(service, await uploads(service, 2), testActor(), workId)
    const second = await extractBatch(service, await uploads(service, 2), testActor(), workId)
    expect(second.map((result) => Object(result)._log_id)).toEqual(first.map((result) => Object(result)._log_id))
    expect(book.reserved.size).toBe(2)
    await expect(extractBatch(service, await uploads(service, 1))).rejects.toEqual(failsWith('QUOTA_EXCEEDED'))
  })
})
