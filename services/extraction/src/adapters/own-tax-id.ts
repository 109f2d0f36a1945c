import { withTimeout } from '@asiento/chassis/lifecycle'
import type { Log } from '@asiento/chassis/log'
import type { CallContext, RpcClients } from '@asiento/proto/rpc'
import { checkTaxId } from '@asiento/proto/tax-id'

/** The tax id under which the caller's account trades; null where it has not said. Never rejects. */
export type OwnTaxId = (context: CallContext) => Promise<string | null>

const keptMs = 30_000
const keptMax = 5_000
const patienceMs = 500

/**
 * Asks the ledger for the fiscal profile, and remembers a tax id or an outage for half a minute; that there is none yet is
 * not remembered, so that the first invoice after it was entered is read right. Subaccounts are companies of their own
 * without a fiscal profile.
 */
export function createOwnTaxId(options: { rpc: RpcClients; now: () => number; log: Log }): OwnTaxId {
  const kept = new Map<number, { until: number; taxId: string | null }>()
  return async (context) => {
    const { actor } = context
    if (actor === null || actor.subaccountId !== null || options.rpc.ledger === undefined) return null
    const known = kept.get(actor.userId)
    if (known !== undefined && known.until > options.now()) return known.taxId
    const answer = await ask(options, context)
    if (answer === 'none') return null
    if (kept.size >= keptMax) kept.clear()
    const taxId = answer === 'away' ? null : answer.taxId
    kept.set(actor.userId, { until: options.now() + keptMs, taxId })
    return taxId
  }
}

async function ask(
  { rpc, log }: { rpc: RpcClients; log: Log },
  context: CallContext,
): Promise<{ taxId: string } | 'none' | 'away'> {
  try {
    const nothing = { params: {}, query: {}, body: undefined, files: [], headers: {} }
    const { nif } = await withTimeout(rpc.ledger.getFiscalProfile(nothing, context), patienceMs)
    const { valid, value } = checkTaxId(nif ?? '')
    return valid ? { taxId: value } : 'none'
  } catch (error) {
    log.warn({ err: error }, 'the fiscal profile could not be asked for')
    return 'away'
  }
}
