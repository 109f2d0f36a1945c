import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type SlowDownRule, waitAfter } from '../domain/slow-down.ts'
import type { Deps, IdentityTx } from './deps.ts'

type Query = Deps['db']['query'] | IdentityTx

/** Whose attempts are counted; only the hash is kept, known address or not. */
export const attemptSubject = (kind: 'login' | 'ip' | 'mail', value: string): Buffer =>
  createHash('sha256').update(`${kind}\n${value}`).digest()

/**
 * Counts an attempt before it is made, in one statement, so that a burst cannot slip past the check.
 *
 * @returns 0 when it may go on, else the milliseconds to wait
 */
export async function claimAttempt(query: Query, subject: Buffer, rule: SlowDownRule, now: Date): Promise<number> {
  const forgotten = new Date(now.getTime() - rule.forgetMs)
  const claimed = await sql<{ failures: number }>`
    insert into attempts as a (subject, failures, last_failed_at, next_allowed_at)
    values (${subject}, 1, ${now}, ${new Date(now.getTime() + waitAfter(rule, 1))})
    on conflict (subject) do update set
      failures = case when a.last_failed_at < ${forgotten} then 1 else a.failures + 1 end,
      last_failed_at = excluded.last_failed_at,
      next_allowed_at = excluded.last_failed_at + case
        when a.last_failed_at < ${forgotten} or a.failures + 1 < ${rule.free}::integer then interval '0'
        else least(${rule.waitMsMax}::float8, ${rule.firstMs}::float8 * power(2, least(30, a.failures + 1 - ${rule.free}::integer)))
          * interval '1 millisecond' end
    where a.next_allowed_at <= excluded.last_failed_at
    returning failures`.execute(query)
  if (claimed.rows.length === 1) return 0
  const row = await query
    .selectFrom('attempts')
    .select('next_allowed_at')
    .where('subject', '=', subject)
    .executeTakeFirst()
  return Math.max(1, (row?.next_allowed_at.getTime() ?? now.getTime()) - now.getTime())
}

/** An attempt went well: the account starts anew, and the IP gets back what the attempt had counted. */
export async function forgiveAttempts(query: Query, account: Buffer, address: Buffer | null): Promise<void> {
  await sql`with forgiven as (delete from attempts where subject = ${account})
    update attempts set failures = greatest(0, failures - 1) where subject = ${address}`.execute(query)
}
