import { withTimeout } from '@asiento/chassis/lifecycle'
import type { Log } from '@asiento/chassis/log'
import type { CallContext, RpcClients } from '@asiento/proto/rpc'

/** The tax ids under which the caller's account itself issues invoices; empty where it has not said. Never rejects. */
export type OwnTaxIds = (context: CallContext) => Promise<string[]>

const keptMs = 5_000
const keptMax = 5_000
const patienceMs = 500

/**
 * Asks the ledger for the fiscal profile, and remembers a tax id or an outage for five seconds; that there is none yet
 * is not remembered, so that the first invoice after it was entered is read right. A ledger that is away costs a moment
 * and no verdict: the invoice is then read as a purchase. Subaccounts have no fiscal profile.
 */
export function createOwnTaxIds(options: { rpc: RpcClients; now: () => number; log: Log }): OwnTaxIds {
  const kept = new Map<number, { until: number; ids: string[] }>()
  return async (context) => {
    const { actor } = context
    if (actor === null || actor.subaccountId !== null || options.rpc.ledger === undefined) return []
    const known = kept.get(actor.userId)
    if (known !== undefined && known.until > options.now()) return known.ids
    const ids = await ask(options, context)
    if (ids !== null && ids.length === 0) return []
    if (kept.size >= keptMax) kept.clear()
    kept.set(actor.userId, { until: options.now() + keptMs, ids: ids ?? [] })
    return ids ?? []
  }
}

/** Null when the ledger did not answer. */
async function ask({ rpc, log }: { rpc: RpcClients; log: Log }, context: CallContext): Promise<string[] | null> {
  try {
    const nothing = { params: {}, query: {}, body: undefined, files: [], headers: {} }
    const { nif } = await withTimeout(rpc.ledger.getFiscalProfile(nothing, context), patienceMs)
    return nif == null || nif === '' ? [] : [nif]
  } catch (error) {
    log.warn({ err: error }, 'the fiscal profile could not be asked for')
    return null
  }
}
