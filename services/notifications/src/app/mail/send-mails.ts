import type { Clock } from '@asiento/chassis/clock'
import type { Database } from '@asiento/chassis/db'
import type { Log } from '@asiento/chassis/log'
import { type Selectable, sql } from 'kysely'
import { MailInDoubtError, MailRefusedError, type MailTransport } from '../../adapters/mail-transport.ts'
import type { Tables } from '../../adapters/tables.ts'
import { retryDelayMs } from '../../domain/retry-delay.ts'
import { addressOf, composeMail } from './compose-mail.ts'

export type MailRow = Selectable<Tables['mails']>

export interface MailDeps {
  db: Database<Tables>
  clock: Clock
  log: Log
  transport: MailTransport
  from: string
  publicUrl: string
  retrySeconds: readonly number[]
}

const claimedMax = 5
/** How long a mail stays with a sender that has fallen silent. */
const leaseMs = 15_000
const renewMs = 5_000
const keepMs = 40 * 24 * 3_600_000

/**
 * Sends what is due; true when there may be more. Each mail goes out once: a row is claimed with a lease, and marked
 * before the server gets the end of the message. Whoever finds that mark after a crash knows that the mail may be out
 * and leaves it (`in_doubt`); without the mark it is certainly not out and is sent again.
 */
export const sendDueMails = (deps: MailDeps) => async (): Promise<boolean> => {
  const rows = await claim(deps)
  await Promise.all(rows.map((row) => sendOne(deps, row)))
  return rows.length === claimedMax
}

async function claim({ db, clock, log }: MailDeps): Promise<MailRow[]> {
  const now = clock.now()
  const { rows } = await sql<MailRow>`
    update mails set lease_until = ${new Date(now.getTime() + leaseMs)}, attempts = attempts + 1,
      status = case when status = 'handing_over' then 'in_doubt' else status end
    where mail_id in (
      select mail_id from mails
      where status in ('queued', 'handing_over') and next_attempt_at <= ${now}
        and (lease_until is null or lease_until < ${now})
      order by next_attempt_at limit ${claimedMax} for update skip locked)
    returning *`.execute(db.query)
  for (const row of rows) {
    if (row.status === 'in_doubt')
      log.warn({ mailId: row.mail_id }, 'mail may be out: its sender died at the last byte')
  }
  return rows.filter((row) => row.status === 'queued')
}

async function sendOne(deps: MailDeps, row: MailRow): Promise<void> {
  const { db, clock, log, transport, from, publicUrl } = deps
  const update = (values: Partial<Record<keyof MailRow, unknown>>) =>
    db.query
      .updateTable('mails')
      .set(values as never)
      .where('mail_id', '=', row.mail_id)
      .execute()
  const renewing = setInterval(() => {
    update({ lease_until: new Date(clock.now().getTime() + leaseMs) }).catch((error) =>
      log.warn({ err: error, mailId: row.mail_id }, 'lease not extended'),
    )
  }, renewMs)
  try {
    const raw = await composeMail(row, { from, publicUrl })
    const mail = { mailId: row.mail_id, createdAt: row.created_at, from: addressOf(from), to: row.recipient, raw }
    await transport.send(mail, async () => {
      await update({ status: 'handing_over' })
    })
    await update({ status: 'sent', sent_at: clock.now(), data: '{}', last_error: null })
  } catch (error) {
    const next = nextAttempt(deps, row, error)
    log.warn({ err: error, mailId: row.mail_id, template: row.template, status: next.status }, 'mail not sent')
    await update({ ...next, lease_until: null, last_error: String(error instanceof Error ? error.message : error) })
  } finally {
    clearInterval(renewing)
  }
}

function nextAttempt({ retrySeconds, clock }: MailDeps, row: MailRow, error: unknown) {
  if (error instanceof MailInDoubtError) return { status: 'in_doubt' as const }
  const delayMs = error instanceof MailRefusedError ? null : retryDelayMs(retrySeconds, row.attempts, Math.random())
  if (delayMs === null) return { status: 'failed' as const }
  return { status: 'queued' as const, next_attempt_at: new Date(clock.now().getTime() + delayMs) }
}

/** Forgets mails that were sent long ago; their ids stay known for longer than any request may come again. */
export const forgetOldMails =
  ({ db, clock }: Pick<MailDeps, 'db' | 'clock'>) =>
  async (): Promise<void> => {
    await db.query
      .deleteFrom('mails')
      .where('status', 'not in', ['queued', 'handing_over'])
      .where('created_at', '<', new Date(clock.now().getTime() - keepMs))
      .execute()
  }
