import { availableParallelism } from 'node:os'
import { keyList, whole } from '@asiento/chassis/config'
import { createSealer } from '@asiento/chassis/sealed'
import { defineService } from '@asiento/chassis/service'
import { together } from '@asiento/chassis/together'
import { createWorkerPool, WorkerTimeoutError } from '@asiento/chassis/workers'
import type { Actor } from '@asiento/proto/actor'
import { fail, ValidationFailure } from '@asiento/proto/errors'
import type { CallContext } from '@asiento/proto/rpc'
import { madridDate } from '@asiento/proto/time'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tables } from './adapters/out/tables.ts'
import { convert } from './app/convert.ts'
import { convertToFacturae, downloadFacturae } from './app/convert-to-facturae.ts'
import type { Deps, Work } from './app/deps.ts'
import { downloadZip } from './app/download-zip.ts'
import { endCustody, mailExpiringCertificates, rewrapOldKeys } from './app/housekeeping.ts'
import { issueInvoice } from './app/issue-invoice.ts'
import { createOpenedKeys } from './app/opened-keys.ts'
import { getCustody, inCustody } from './app/show-custody.ts'
import { reservationState, signXml } from './app/sign-xml.ts'
import {
  createCertificate,
  deleteCertificate,
  deleteUserCertificate,
  getUserCertificate,
  listCertificates,
  saveUserCertificate,
} from './app/stored-certificates.ts'
import { type CustodyEntry, writeCustody } from './app/write-custody.ts'
import type { CertificateFailures } from './certificates/fail-p12.ts'
import type { OpenedKey } from './certificates/open-p12.ts'
import type { Outcome, Task } from './work/tasks.ts'

interface OpenTask {
  file: Uint8Array
  password: string
  failures: CertificateFailures
}

/** Invoices into Facturae, signatures, custody, certificates. */
export const facturae = defineService<Tables>()({
  name: 'facturae',
  config: z.object({
    /** Wraps the keys of stored certificates: `kid:base64,…`; the first wraps, all open. */
    MASTER_KEY: keyList,
    /** Years that a signed XML is kept. */
    CUSTODY_YEARS: whole({ min: 1, max: 100, fallback: 6 }),
    /** A time-stamp authority (RFC 3161); absent: signatures carry no time-stamp. */
    TSA_URL: z.url().optional(),
    /** Threads that build, validate and sign. */
    FACTURAE_WORKERS: whole({ min: 1, max: 64, fallback: availableParallelism() }),
  }),
  migrations: new URL('../migrations/', import.meta.url),
  create: ({ config, db, objects, rpc, log, clock, ids }) => {
    const worker = createWorkerPool<Task, Outcome>({
      module: new URL('./work/worker.ts', import.meta.url),
      threadsMax: config.FACTURAE_WORKERS,
      queueMax: 256,
      timeoutMs: 60_000,
      heapMb: 2_048,
    })
    const opener = createWorkerPool<OpenTask, OpenedKey>({
      module: new URL('./certificates/open-p12.worker.ts', import.meta.url),
      threadsMax: 1,
      queueMax: 64,
      timeoutMs: 15_000,
      heapMb: 256,
    })
    const deps: Deps = {
      db,
      objects,
      rpc,
      log,
      clock,
      ids,
      sealer: createSealer(config.MASTER_KEY, 'facturae/certificates'),
      custodyYears: config.CUSTODY_YEARS,
      timestampUrl: config.TSA_URL ?? null,
      work: async (task) => {
        const outcome = await worker.run(task)
        if ('issues' in outcome) throw new ValidationFailure(outcome.issues)
        // The worker answers each kind with its own result.
        return outcome.result as never
      },
      openP12: async (file, password, failures) => {
        try {
          return await opener.run({ file, password, failures }, { transfer: [file.buffer] })
        } catch (error) {
          if (!(error instanceof WorkerTimeoutError)) throw error
          const detail = 'The certificate takes too long to open.'
          return fail(failures === 'upload' ? 'CERT_INVALID_FORMAT' : 'XML_SIGN_FAILED', { detail })
        }
      },
      openedKeys: createOpenedKeys(clock),
      writeCustody: together(100, (entries: readonly CustodyEntry[]) => writeCustody({ db }, entries)),
    }
    const workOf = (context: CallContext<Actor>): Work => ({
      actor: context.actor,
      context,
      workId: context.workId ?? ids.uuid(),
    })
    const known = (actor: Actor | null): Actor => actor ?? fail('AUTH_REQUIRED')
    return {
      handlers: {
        convert: (input, context) => convert(deps)(input, workOf(context)),
        convertToFacturae: (input, context) => convertToFacturae(deps)(input, workOf(context)),
        downloadFacturae: (input, context) => downloadFacturae(deps)(input, workOf(context)),
        signXml: (input, context) => signXml(deps)(input, workOf(context)),
        validateXml: async ({ files }) => {
          const bytes = files[0] === undefined ? null : await objects.get(files[0].objectKey)
          if (bytes === null) return fail('INVALID_INPUT', { detail: 'The XML is missing.' })
          return deps.work<'validate'>({ kind: 'validate', bytes, today: madridDate(clock.now()) })
        },
        getCustody: ({ params }, { actor }) => getCustody(deps)(actor, params.log_id),
        downloadZip: ({ body }, context) => downloadZip(deps)(body.log_ids, workOf(context)),
        createCertificate: ({ files, body }, { actor }) => createCertificate(deps)(actor, files[0], body),
        listCertificates: (_input, { actor }) => listCertificates(deps)(actor),
        deleteCertificate: ({ params }, { actor }) => deleteCertificate(deps)(actor, params.certificate_id),
        saveUserCertificate: ({ files, query }, { actor }) =>
          saveUserCertificate(deps)(actor, files[0], query.password),
        getUserCertificate: (_input, { actor }) => getUserCertificate(deps)(actor),
        deleteUserCertificate: (_input, { actor }) => deleteUserCertificate(deps)(actor),
        issueInvoice: (input, context) => issueInvoice(deps)(input, known(context.actor), context),
        inCustody: ({ logIds }, { actor }) => inCustody(deps)(known(actor), logIds),
        reservationState: ({ reservationId }) => reservationState(deps)(reservationId),
        health: async () => {
          await sql`select 1`.execute(db.query)
          return { status: 'ok' }
        },
      },
      schedules: [
        { name: 'mail-expiring-certificates', everyMs: 3_600_000, run: () => mailExpiringCertificates(deps) },
        { name: 'rewrap-old-keys', everyMs: 3_600_000, run: () => rewrapOldKeys(deps) },
        { name: 'end-custody', everyMs: 6 * 3_600_000, run: () => endCustody(deps) },
      ],
      close: async () => {
        await worker.close()
        await opener.close()
      },
    }
  },
})
