import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { Download } from '@asiento/proto/operation'
import type { Deps } from './deps.ts'

/** The signed XML of a log, the latest where it was signed more than once. Fails INVOICE_NOT_FOUND. */
export const getCustody =
  (deps: Deps) =>
  async (actor: Actor, logId: number): Promise<Download> => {
    const [row] = await latestOf(deps, actor, [logId])
    if (row === undefined) return fail('INVOICE_NOT_FOUND')
    return {
      objectKey: row.object_key,
      filename: row.filename,
      contentType: 'application/xml',
      disposition: 'attachment',
    }
  }

/** Which of the logs have a signed XML in custody. */
export const inCustody = (deps: Deps) => async (actor: Actor, logIds: readonly number[]) => {
  if (logIds.length === 0) return { logIds: [] }
  const rows = await deps.db.query
    .selectFrom('custody')
    .select('log_id')
    .distinct()
    .where('user_id', '=', actor.userId)
    .where('log_id', 'in', [...logIds])
    .execute()
  return { logIds: rows.map((row) => row.log_id) }
}

/** The latest records of logs that the caller sees: a key its own, a subaccount's those of its subaccount, a JWT all. */
export async function latestOf({ db }: Pick<Deps, 'db'>, actor: Actor, logIds: readonly number[]) {
  let rows = db.query
    .selectFrom('custody')
    .distinctOn('log_id')
    .select(['log_id', 'object_key', 'filename', 'invoice_number'])
    .where('user_id', '=', actor.userId)
    .where('log_id', 'in', [...logIds])
  if (actor.subaccountId !== null) rows = rows.where('subaccount_id', '=', actor.subaccountId)
  else if (actor.via === 'key') rows = rows.where('key_id', '=', actor.keyId)
  return rows.orderBy('log_id').orderBy('id', 'desc').execute()
}
