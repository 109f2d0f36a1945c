import type { Actor, Scope } from '@asiento/proto/actor'
import type { Deps } from '../deps.ts'
import { askCircumstances, type Circumstances } from '../read-invoice.ts'

/** What is asked of the neighbours about an account before its documents are read; a null actor: it is gone. */
export type AboutAccount = { actor: null } | { actor: Actor; known: Circumstances }

/** Asks once an account for all items that were claimed together. */
export function askOnce(deps: Deps): (scope: Scope) => Promise<AboutAccount> {
  const asked = new Map<string, Promise<AboutAccount>>()
  return (scope) => {
    const name = JSON.stringify(scope)
    const answer = asked.get(name) ?? ask(deps, scope)
    asked.set(name, answer)
    return answer
  }
}

async function ask(deps: Deps, scope: Scope): Promise<AboutAccount> {
  const requestId = `batch-${deps.ids.uuid()}`
  // The account, not the key: a job that was accepted goes on when its key is revoked meanwhile.
  const actor = await deps.rpc.identity.actorFor({ ...scope, keyId: null }, { actor: null, requestId })
  if (actor === null) return { actor }
  return { actor, known: await askCircumstances(deps, scope, { actor, requestId }) }
}
