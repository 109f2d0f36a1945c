import type { Tx } from '@asiento/chassis/db'
import type { EventPayload } from '@asiento/proto/events'
import { sql } from 'kysely'
import type { Tables } from '../../adapters/tables.ts'

/** The channel that wakes the sender; schema names keep tests and deployments apart by database. */
export const mailChannel = 'notifications_mail'

/** Queues a mail in the transaction of its cause. A mail id that is known already is the same mail. */
export async function queueMail(tx: Tx<Tables>, mail: EventPayload<'mail.requested'>, now: Date): Promise<void> {
  await tx
    .insertInto('mails')
    .values({
      mail_id: mail.mailId,
      recipient: mail.to,
      locale: mail.locale,
      template: mail.template,
      data: JSON.stringify(mail.data) as never,
      next_attempt_at: now,
      lease_until: null,
      last_error: null,
      created_at: now,
      sent_at: null,
    })
    .onConflict((conflict) => conflict.column('mail_id').doNothing())
    .execute()
  await sql`select pg_notify(${mailChannel}, '')`.execute(tx)
}
