import { createHash } from 'node:crypto'
import type { Actor } from '@asiento/proto/actor'
import type { RpcClient, RpcClients } from '@asiento/proto/rpc'

type Identity = RpcClient<'identity'>

/** With as long again in the identity service: under the second within which a revocation must be felt everywhere. */
const rememberedMs = 450
const keysMax = 20_000

/**
 * Spares a gateway in a process of its own most calls to the identity service. The owner of an API key is remembered for
 * 450 ms from before it was asked for; failures never, and sessions neither. Readings of one quota that are asked for
 * while another is under way share the next one, so that none is older than its request.
 */
export function nearIdentity(rpc: RpcClients): RpcClients {
  const { identity } = rpc
  return {
    ...rpc,
    identity: { ...identity, authenticate: rememberKeys(identity), quotaOf: shareReadings(identity) },
  }
}

function rememberKeys(identity: Identity): Identity['authenticate'] {
  const known = new Map<string, { actor: Promise<Actor>; until: number }>()
  return (credentials, context) => {
    const { apiKey } = credentials
    if (apiKey === undefined) return identity.authenticate(credentials, context)
    const name = createHash('sha256').update(apiKey).digest('base64')
    const found = known.get(name)
    if (found !== undefined && found.until > Date.now()) return found.actor
    if (known.size >= keysMax) known.clear()
    const actor = identity.authenticate(credentials, context)
    known.set(name, { actor, until: Date.now() + rememberedMs })
    actor.catch(() => known.delete(name))
    return actor
  }
}

type Quota = ReturnType<Identity['quotaOf']>

interface Readings {
  underWay: Quota
  next: Quota | null
}

function shareReadings(identity: Identity): Identity['quotaOf'] {
  const readings = new Map<string, Readings>()
  return (scope, context) => {
    const name = JSON.stringify(scope)
    const read = (): Quota => {
      const underWay = identity.quotaOf(scope, context)
      const entry: Readings = { underWay, next: null }
      readings.set(name, entry)
      const done = () => {
        if (readings.get(name) === entry && entry.next === null) readings.delete(name)
      }
      underWay.then(done, done)
      return underWay
    }
    const current = readings.get(name)
    if (current === undefined) return read()
    current.next ??= current.underWay.then(read, read)
    return current.next
  }
}
