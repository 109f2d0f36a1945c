import { randomUUID } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { createLog } from '@asiento/chassis/log'
import { startTestService } from '@asiento/chassis/testing/service'
import { createWorkerPool } from '@asiento/chassis/workers'
import type { Actor } from '@asiento/proto/actor'
import { type EventName, events } from '@asiento/proto/events'
import type { Upload } from '@asiento/proto/operation'
import type { CallContext, RpcClients } from '@asiento/proto/rpc'
import { type HistoryQuery, historyQuery } from '@asiento/proto/schemas/extraction'
import { facturae } from '../../../facturae/src/service.ts'
import { identity } from '../../../identity/src/service.ts'
import { addAccount, movableClock, secret } from '../../../identity/test/kit.ts'
import { ledger } from '../../../ledger/src/service.ts'
import { risk } from '../../../risk/src/service.ts'
import type { Deps } from '../../src/app/deps.ts'
import { extraction } from '../../src/service.ts'
import { makePdf } from '../pages/pdf-fixtures.ts'

export { codeOf } from '../../../identity/test/kit.ts'

export type World = Awaited<ReturnType<typeof startWorld>>

/** Extraction with its real neighbours beside it, each on a database of its own; events go from one to the other. */
export async function startWorld(options: { environment?: Record<string, string>; now?: string } = {}) {
  const clock = movableClock(options.now ?? '2026-03-20T10:00:00Z')
  // Filled below: the services call each other in a circle.
  const rpc = {} as RpcClients
  const shared = { clock, rpc }
  const services = {
    identity: await startTestService(identity, { ...shared, environment: { JWT_SECRET: secret('k1') } }),
    risk: await startTestService(risk, shared),
    ledger: await startTestService(ledger, shared),
    facturae: await startTestService(facturae, {
      ...shared,
      environment: { MASTER_KEY: secret('k1'), FACTURAE_WORKERS: '1' },
    }),
    extraction: await startTestService(extraction, {
      ...shared,
      environment: { OCR_WORKERS: '1', ...options.environment },
    }),
  }
  Object.assign(rpc, Object.fromEntries(Object.entries(services).map(([name, { call }]) => [name, call])))
  const carry = (topic: EventName, from: keyof typeof services, to: keyof typeof services) =>
    services[from].shared.bus.subscribe({
      group: `to ${to}`,
      topic: topicOf(topic),
      handle: (message) => services[to].shared.bus.send([message]),
    })
  carry('credits.settled', 'extraction', 'identity')
  carry('invoice.extracted', 'extraction', 'ledger')
  carry('extraction.corrected', 'extraction', 'risk')
  carry('extraction.erased', 'extraction', 'risk')
  carry('ledger.log.settled', 'ledger', 'extraction')
  const service = services.extraction
  const upload = async (bytes: Uint8Array, filename = 'factura.pdf'): Promise<Upload> => {
    const objectKey = `uploads/2026-03-20/${randomUUID()}`
    const { sha256, sizeBytes } = await service.objects.put(objectKey, bytes)
    return { field: 'file', objectKey, sha256, sizeBytes, filename, contentType: 'application/pdf' }
  }
  const quota = async (actor: Actor) =>
    (await services.identity.call.quotaOf(scope(actor), { actor, requestId: 'test' })).used
  return {
    ...services,
    clock,
    rpc,
    service,
    upload,
    quota,
    account: (changes: Parameters<typeof addAccount>[1] = {}) => addAccount(services.identity, changes),
    extract: async (actor: Actor, bytes: Uint8Array, given: ExtractGiven = {}) =>
      service.call.extract(
        {
          ...nothing,
          files: [await upload(bytes, given.filename)],
          headers: given.externalRef === undefined ? {} : { 'x-external-ref': given.externalRef },
        },
        { ...by(actor), workId: given.workId ?? randomUUID() },
      ),
    history: (actor: Actor, query: Partial<Record<keyof HistoryQuery, unknown>> = {}) =>
      service.call.history({ ...nothing, query: historyQuery.parse(query) }, by(actor)),
    item: (actor: Actor, logId: number) =>
      service.call.historyItem({ ...nothing, params: { log_id: logId } }, by(actor)),
    correct: (actor: Actor, logId: number, fields: Record<string, unknown>) =>
      service.call.correctExtraction({ ...nothing, params: { log_id: logId }, body: fields }, by(actor)),
    stop: async () => {
      for (const one of Object.values(services).reverse()) await one.stop()
    },
  }
}

interface ExtractGiven {
  filename?: string
  externalRef?: string
  workId?: string
}

const topicOf = (name: EventName): string => events[name].topic

export const nothing = { params: {}, query: {}, body: undefined, files: [], headers: {} }
export const by = (actor: Actor): CallContext<Actor> => ({ actor, requestId: 'test' })

/** A page of Helvetica 10, row by row from the top; runs of blanks keep their width. */
export const textPdf = (rows: readonly string[]): Promise<Uint8Array> =>
  makePdf(({ page, font }) => {
    for (const [index, row] of rows.entries()) {
      for (const { index: column, 0: text } of row.matchAll(/\S+(?: \S+)*/g)) {
        page.drawText(text, { x: 40 + column * 5.2, y: 800 - index * 16, size: 10, font })
      }
    }
  })

export interface Shown {
  number?: string
  vendor?: string
  vendorVat?: string
  due?: string
  /** Whole euros. */
  base?: number
}

/** An ordinary invoice that every part of which is found. */
export const invoicePdf = (shown: Shown = {}): Promise<Uint8Array> => textPdf(invoiceRows(shown))

export function invoiceRows({
  number = 'F-2026/0107',
  vendor = 'Talleres Aneto, S.L.',
  vendorVat = 'B12345674',
  due = '11/04/2026',
  base = 200,
}: Shown): string[] {
  const money = (value: number): string => value.toFixed(2).replace('.', ',')
  return [
    vendor,
    'C/ Mayor, 12, 2º B',
    '22001 Huesca',
    `CIF ${vendorVat}`,
    '',
    `Factura nº: ${number}                          Cliente:`,
    'Fecha: 12/03/2026                              Ferretería Osca, S.A.',
    `Vencimiento: ${due}                        NIF A58818501`,
    '                                               Paseo Independencia, 4',
    '                                               50001 Zaragoza',
    '',
    'Descripción                           Cantidad        Precio           Importe',
    `Mano de obra                              2          ${money(base / 2)}           ${money(base)}`,
    '',
    `                                      Base imponible             ${money(base)} €`,
    `                                      IVA 21 %                   ${money(base * 0.21)} €`,
    `                                      Total factura              ${money(base * 1.21)} €`,
  ]
}

/** The service's parts put together by hand, for what a test wants to be different. */
export function depsOf({ service, rpc, clock }: World, pool: { module: URL } & Partial<PoolChanges>): Deps {
  const log = createLog({ name: 'test', level: 'silent' })
  const { module, timeoutMs = 120_000, queueMax = 64, heapMb = 1_024 } = pool
  const open = (url: URL) => createWorkerPool<never, never>({ module: url, threadsMax: 1, timeoutMs, queueMax, heapMb })
  return {
    db: service.db,
    objects: service.objects,
    rpc,
    log,
    clock,
    ids: service.shared.ids,
    pipeline: open(module),
    reader: open(new URL('../../src/pages/worker.ts', import.meta.url)),
    pictures: open(new URL('../../src/pages/render-worker.ts', import.meta.url)),
    ownTaxId: async () => null,
    model: null,
    retentionDays: 30,
  }
}

interface PoolChanges {
  timeoutMs: number
  queueMax: number
  heapMb: number
}

const scope = ({ userId, keyId, subaccountId, sandbox }: Actor) => ({ userId, keyId, subaccountId, sandbox })

/** Names of the events that extraction has announced about a log or a piece of work, oldest first. */
export async function announced({ service }: World, key: string): Promise<string[]> {
  const rows = await service.db.query.selectFrom('outbox').select('name').where('key', '=', key).orderBy('id').execute()
  return rows.map(({ name }) => name)
}

/** A part of a ZIP (an XLSX workbook) as text, found through its central directory. */
export function partOf(zip: Buffer, name: string): Buffer {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'))
  let at = zip.readUInt32LE(end + 16)
  for (let entry = zip.readUInt16LE(end + 10); entry > 0; entry -= 1) {
    const lengths = [28, 30, 32].map((field) => zip.readUInt16LE(at + field))
    const [nameLength = 0] = lengths
    if (zip.subarray(at + 46, at + 46 + nameLength).toString() === name) {
      const local = zip.readUInt32LE(at + 42)
      const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      return inflateRawSync(zip.subarray(data, data + zip.readUInt32LE(at + 20)))
    }
    at += 46 + lengths.reduce((sum, length) => sum + length, 0)
  }
  throw new Error(`no ${name} in the file`)
}
