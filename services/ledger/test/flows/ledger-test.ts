import { startTestService, testActor } from '@asiento/chassis/testing/service'
import type { Actor } from '@asiento/proto/actor'
import type { InputOf, OperationInput } from '@asiento/proto/operation'
import type { Operations } from '@asiento/proto/operations'
import { operations } from '@asiento/proto/operations'
import type { CallContext, RpcClients } from '@asiento/proto/rpc'
import { ledger } from '../../src/service.ts'

type LedgerId = {
  [Id in keyof Operations]: Operations[Id]['service'] extends 'ledger' ? Id : never
}[keyof Operations]

/** The neighbours as the ledger sees them: logs that can be read, invoices that are built. */
export interface Neighbours {
  logs: { logId: number; createdAt: string; result: unknown }[]
  issued: { issueId: string; invoice: Record<string, unknown>; sign: boolean }[]
  /** Set to make building fail. */
  buildError: Error | null
}

export type LedgerUnderTest = Awaited<ReturnType<typeof startLedger>>

/** A ledger with a clock that a test can move, and neighbours that it can fill. */
export async function startLedger(now = '2026-05-15T10:00:00Z') {
  const time = { now: new Date(now) }
  const neighbours: Neighbours = { logs: [], issued: [], buildError: null }
  const service = await startTestService(ledger, {
    clock: { now: () => time.now },
    rpc: neighbourClients(neighbours),
  })
  const context = (actor: Actor): CallContext => ({ actor, requestId: 'test' })
  /** Calls an operation as the gateway does: its schemas parse what a client sent. */
  const call = async <Id extends LedgerId>(
    id: Id,
    input: Partial<Record<keyof OperationInput, unknown>> = {},
    actor: Actor = testActor(),
  ) => {
    const row = operations[id]
    const parsed = {
      params: 'params' in row ? row.params.parse(input.params ?? {}) : {},
      query: 'query' in row ? row.query.parse(input.query ?? {}) : {},
      body: 'body' in row && 'schema' in row.body ? row.body.schema.parse(input.body ?? {}) : undefined,
      files: input.files ?? [],
      headers: {},
    }
    // The table's row and the service's handler of one id fit each other; TypeScript loses that in a generic.
    const handler = service.call[id] as unknown as (
      sent: InputOf<Operations[Id]>,
      by: CallContext,
    ) => ReturnType<(typeof service.call)[Id]>
    return handler(parsed as InputOf<Operations[Id]>, context(actor))
  }
  return { ...service, call, time, neighbours }
}

function neighbourClients(neighbours: Neighbours): Partial<RpcClients> {
  const clients = {
    extraction: {
      logsForLedger: async (query: { afterLogId?: number; logIds?: number[]; limit?: number }) => ({
        logs: neighbours.logs
          .filter(({ logId }) =>
            query.logIds === undefined ? logId > (query.afterLogId ?? 0) : query.logIds.includes(logId),
          )
          .slice(0, query.limit ?? 500),
      }),
    },
    identity: {
      actorFor: async ({ userId }: { userId: number }) => testActor({ userId }),
      createCheckout: async ({ plan }: { plan: string }) => ({
        checkout_url: `https://pay.example/${plan}`,
        session_id: 'cs_1',
      }),
    },
    facturae: {
      issueInvoice: async (request: Neighbours['issued'][number]) => {
        if (neighbours.buildError !== null) throw neighbours.buildError
        neighbours.issued.push(request)
        const number = String(request.invoice.invoice_number)
        return { xml: `<Facturae>${number}</Facturae>`, filename: `facturae_${number}.xml`, signed: false, logId: null }
      },
    },
    risk: { learnedVendors: async () => ({ count: 3 }) },
  }
  return clients as unknown as Partial<RpcClients>
}

/** Waits until a condition holds; fails after ten seconds. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it did not come true within 10 s')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
