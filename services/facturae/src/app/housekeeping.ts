import { publish } from '@asiento/chassis/outbox'
import { addDays, madridDate, timestamp } from '@asiento/proto/time'
import type { Deps } from './deps.ts'
import { ownerOf } from './stored-certificates.ts'

const warnedDaysBefore = 30
const batchRows = 100

/** Mails the owners of certificates that end within 30 days, once each. */
export async function mailExpiringCertificates(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const rows = await deps.db.query
    .selectFrom('certificates')
    .select(['id', 'certificate_id', 'user_id', 'name', 'kind', 'subject', 'not_after'])
    .where('deleted_at', 'is', null)
    .where('expiry_mailed_at', 'is', null)
    .where('not_after', '<', new Date(now.getTime() + warnedDaysBefore * 86_400_000))
    .where('not_after', '>', now)
    .orderBy('id')
    .limit(batchRows)
    .execute()
  for (const row of rows) {
    const scope = { userId: row.user_id, keyId: null, subaccountId: null, sandbox: false }
    const owner = await deps.rpc.identity.actorFor(scope, { actor: null, requestId: `expiry-${row.certificate_id}` })
    await deps.db.transaction(async (tx) => {
      const claimed = await tx
        .updateTable('certificates')
        .set({ expiry_mailed_at: now })
        .where('id', '=', row.id)
        .where('expiry_mailed_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (claimed === undefined || owner === null) return
      await publish(tx, 'mail.requested', {
        key: `user:${row.user_id}`,
        payload: {
          mailId: `certificate-expiring:${row.certificate_id}`,
          to: owner.email,
          locale: owner.locale,
          template: 'certificate_expiring',
          data: {
            name: row.kind === 'personal' ? row.subject : row.name,
            subject: row.subject,
            expires_at: timestamp(row.not_after),
            certificate_id: row.certificate_id,
          },
        },
      })
    })
  }
}

/** Wraps the data keys of older master keys with the first one, so that an older one can be taken away. */
export async function rewrapOldKeys(deps: Deps): Promise<void> {
  const [first, ...older] = deps.sealer.masterKeyIds
  if (first === undefined || older.length === 0) return
  for (;;) {
    const rows = await deps.db.query
      .selectFrom('certificates')
      .select(['id', 'certificate_id', 'user_id', 'kid', 'wrapped_key', 'sealed'])
      .where('deleted_at', 'is', null)
      .where('kid', 'in', older)
      .limit(batchRows)
      .execute()
    for (const row of rows) {
      if (row.kid === null || row.wrapped_key === null || row.sealed === null) continue
      const envelope = { kid: row.kid, wrapped_key: row.wrapped_key, sealed: row.sealed }
      const { kid, wrapped_key } = deps.sealer.rewrap(envelope, ownerOf(row))
      await deps.db.query
        .updateTable('certificates')
        .set({ kid, wrapped_key })
        .where('id', '=', row.id)
        .where('kid', '=', row.kid)
        .execute()
    }
    if (rows.length < batchRows) return
  }
}

/** Deletes signed XML whose time of custody is over; an object that another record still names stays. */
export async function endCustody(deps: Deps): Promise<void> {
  const today = madridDate(deps.clock.now())
  const rows = await deps.db.query
    .selectFrom('custody')
    .select(['id', 'sha256', 'object_key'])
    .where('expires_at', '<', addDays(today, 0))
    .limit(batchRows)
    .execute()
  for (const row of rows) {
    const others = await deps.db.query
      .selectFrom('custody')
      .select('id')
      .where('sha256', '=', row.sha256)
      .where('id', '!=', row.id)
      .executeTakeFirst()
    if (others === undefined) await deps.objects.delete(row.object_key)
    await deps.db.query.deleteFrom('custody').where('id', '=', row.id).execute()
  }
}
