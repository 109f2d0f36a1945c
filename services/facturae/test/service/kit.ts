import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '@asiento/chassis/clock'
import { startTestService, testActor } from '@asiento/chassis/testing/service'
import type { Actor } from '@asiento/proto/actor'
import { AppError, fail, ValidationFailure } from '@asiento/proto/errors'
import type { Upload } from '@asiento/proto/operation'
import type { RpcClients } from '@asiento/proto/rpc'
import { conversionRequest } from '@asiento/proto/schemas/facturae'
import { invoiceInput } from '@asiento/proto/schemas/invoice-input'
import { facturae } from '../../src/service.ts'

/** The services around facturae, as far as it calls them: what they remember is what the tests look at. */
export function createNeighbours() {
  const logs = new Map<string, number>()
  const own = new Set<number>([7])
  const reservations = new Map<string, string>()
  const extractions = new Map<number, unknown>()
  const state = { credits: 10, extraction: null as unknown }
  const rpc = {
    identity: {
      reserveCredits: async ({ reservationId }: { reservationId: string }) => {
        if (!reservations.has(reservationId)) {
          if (state.credits === 0) fail('QUOTA_EXCEEDED')
          state.credits -= 1
          reservations.set(reservationId, 'reserved')
        }
        return { quota: {} }
      },
      settleCredits: async ({ reservationId, outcome }: { reservationId: string; outcome: string }) => {
        if (outcome === 'release') state.credits += 1
        reservations.set(reservationId, outcome)
        return { settled: true }
      },
      actorFor: async () => testActor(),
    },
    extraction: {
      logForDocument: async ({ workId, logId }: { workId: string; logId: number | null }) => {
        if (logId !== null && own.has(logId)) return { logId }
        if (!logs.has(workId)) logs.set(workId, 100 + logs.size)
        return { logId: logs.get(workId) }
      },
      extractForConvert: async () => state.extraction ?? fail('INVALID_INPUT', { detail: 'buyer_vat' }),
      logsById: async ({ logIds }: { logIds: number[] }) => ({
        logs: logIds.map((logId) => ({
          logId,
          result: extractions.get(logId) ?? fail('INVOICE_NOT_FOUND', { detail: String(logId) }),
        })),
      }),
    },
    risk: { categorize: async () => ({ account_code: '629', account_label: 'Otros servicios' }) },
  }
  return { rpc: rpc as unknown as RpcClients, state, reservations, extractions, logs }
}

export const masterKey = (kid: string): string => `${kid}:${randomBytes(32).toString('base64')}`

export interface KitOptions {
  /** A copy of the service that something is wrong with. */
  definition?: typeof facturae
  environment?: Record<string, string>
  clock?: Clock
}

/** The service at work on a database of its own, with shorthands for its operations. */
export async function startKit(options: KitOptions = {}) {
  const neighbours = createNeighbours()
  const service = await startTestService(options.definition ?? facturae, {
    environment: { MASTER_KEY: masterKey('k1'), FACTURAE_WORKERS: '1', ...options.environment },
    rpc: neighbours.rpc,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  })
  const context = (changes: Partial<Actor> = {}, workId: string = randomUUID()) => ({
    actor: testActor(changes),
    requestId: 'test',
    workId,
  })
  const upload = async (bytes: Uint8Array, filename = 'file.xml'): Promise<Upload> => {
    const objectKey = `uploads/2026-01-01/${randomUUID()}`
    const stored = await service.objects.put(objectKey, bytes)
    return {
      field: 'file',
      objectKey,
      sha256: stored.sha256,
      sizeBytes: stored.sizeBytes,
      filename,
      contentType: 'x/y',
    }
  }
  const none = { params: {}, query: {}, body: undefined, files: [], headers: {} }
  return {
    ...neighbours,
    service,
    context,
    upload,
    none,
    convert: (body: unknown, headers: Record<string, string> = {}, who = context()) =>
      service.call.convert({ ...none, query: { ext: 'xml' }, body: invoiceInput.parse(body), headers }, who),
    toFacturae: (body: unknown, who = context(), headers: Record<string, string> = {}) =>
      service.call.convertToFacturae(
        { ...none, query: { ext: 'xml' }, body: conversionRequest.parse(body), headers },
        who,
      ),
    sign: async (xml: string | Uint8Array, headers: Record<string, string> = {}, who = context()) =>
      service.call.signXml(
        {
          ...none,
          query: { ext: 'xml' },
          files: [await upload(typeof xml === 'string' ? Buffer.from(xml) : xml)],
          headers,
        },
        who,
      ),
    validate: async (xml: string) =>
      service.call.validateXml({ ...none, files: [await upload(Buffer.from(xml))] }, context()),
    addCertificate: async (bytes: Uint8Array, password = 'facturae', who = context()) =>
      service.call.createCertificate(
        { ...none, files: [await upload(bytes, 'a.p12')], body: { name: 'Sello', password } },
        who,
      ),
    savePersonal: async (bytes: Uint8Array, password = 'facturae', who = context()) =>
      service.call.saveUserCertificate({ ...none, query: { password }, files: [await upload(bytes, 'a.p12')] }, who),
    events: async (name: string) =>
      (await service.db.query.selectFrom('outbox').selectAll().where('name', '=', name).orderBy('id').execute()).map(
        (row) => row.payload as unknown as Record<string, unknown>,
      ),
    custody: () => service.db.query.selectFrom('custody').selectAll().orderBy('id').execute(),
    text: async (objectKey: string) => (await service.objects.get(objectKey))?.toString('utf8'),
  }
}

export type Kit = Awaited<ReturnType<typeof startKit>>

/** The code that a call fails with, `422` for a shape, or `accepted`. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'accepted'
  } catch (error) {
    if (error instanceof AppError) return error.code
    if (error instanceof ValidationFailure) return '422'
    throw error
  }
}

export const invoice = {
  vendor_name: 'Empresa de Pruebas SL',
  vendor_vat: 'B12345674',
  vendor_address: 'C/ Mayor 1',
  vendor_city: 'Madrid',
  vendor_postal_code: '28001',
  buyer_name: 'Clienta SA',
  buyer_vat: 'A58818501',
  buyer_address: 'C/ Menor 2',
  buyer_city: 'Madrid',
  buyer_postal_code: '28002',
  invoice_number: 'F/2026-1',
  invoice_date: '2026-03-31',
  total: 121,
  line_items: [{ description: 'Servicio', quantity: 1, unit_price: 100, total: 100, tax_rate: 21 }],
}
