import { createHash, randomUUID } from 'node:crypto'
import type { Database } from '@asiento/chassis/db'
import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { Upload } from '@asiento/proto/operation'
import { sql } from 'kysely'
import type { Tables } from './tables.ts'

const leaseMs = 60_000
const renewEveryMs = 20_000
const waitMs = 10_000
const pollMs = 60

/** An answer that can be given again byte for byte. */
export interface KeptAnswer {
  status: number
  contentType: string
  body: Buffer
}

export interface IdempotentRequest {
  actor: Actor
  method: string
  path: string
  /** The caller's X-Idempotency-Key. */
  key: string
  /** What makes two requests the same: parsed parts and the files' names and hashes, not the bytes on the wire. */
  fingerprint: Buffer
}

export type Claim =
  | { kind: 'replay'; answer: KeptAnswer }
  | {
      kind: 'work'
      workId: string
      /** Keeps the answer for 24 hours. */
      keep(answer: KeptAnswer, logIds: readonly number[]): Promise<void>
      /** Lets the key go: a failed request may be tried again. */
      release(): Promise<void>
    }

/** The same parts in any order give the same bytes. */
export function fingerprint(parts: unknown, files: readonly Upload[]): Buffer {
  const described = files.map((file) => [file.field, file.filename, file.contentType, file.sha256])
  return createHash('sha256')
    .update(stableJson({ parts, files: described }))
    .digest()
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, nested: unknown) =>
    nested !== null && typeof nested === 'object' && !Array.isArray(nested)
      ? Object.fromEntries(Object.entries(nested).sort(([a], [b]) => (a < b ? -1 : 1)))
      : nested,
  )
}

/**
 * Claims a request for one holder. A second call waits up to ten seconds for the first one's answer, then fails
 * IDEMPOTENCY_IN_PROGRESS; a different request with the same key fails IDEMPOTENCY_KEY_REUSED; a claim whose holder died
 * is taken over after its lease, with the same work id.
 */
export async function claim(db: Database<Tables>, request: IdempotentRequest): Promise<Claim> {
  const scope = scopeOf(request)
  const holder = randomUUID()
  const deadline = Date.now() + waitMs
  for (let wait = pollMs; ; wait = Math.min(500, wait * 1.5)) {
    const workId = await take(db, scope, holder, request)
    if (workId !== undefined) return work(db, scope, holder, workId)
    const row = await db.query.selectFrom('idempotency').selectAll().where('scope', '=', scope).executeTakeFirst()
    if (row !== undefined && !row.request_hash.equals(request.fingerprint)) fail('IDEMPOTENCY_KEY_REUSED')
    if (row?.state === 'done' && row.body !== null) {
      return {
        kind: 'replay',
        answer: { status: row.status ?? 200, contentType: row.content_type ?? 'application/json', body: row.body },
      }
    }
    if (Date.now() > deadline) fail('IDEMPOTENCY_IN_PROGRESS', { headers: { 'retry-after': '5' } })
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}

/** One statement: takes a free key, an expired answer, or a claim whose lease has run out. */
async function take(
  db: Database<Tables>,
  scope: Buffer,
  holder: string,
  request: IdempotentRequest,
): Promise<string | undefined> {
  const { rows } = await sql<{ work_id: string }>`
    insert into idempotency as kept (scope, user_id, request_hash, work_id, state, holder, lease_until)
    values (${scope}, ${request.actor.userId}, ${request.fingerprint}, ${randomUUID()}, 'running', ${holder},
      now() + ${leaseMs} * interval '1 millisecond')
    on conflict (scope) do update set
      holder = excluded.holder,
      lease_until = excluded.lease_until,
      state = 'running',
      request_hash = excluded.request_hash,
      work_id = case when kept.created_at < now() - interval '24 hours' then excluded.work_id else kept.work_id end,
      created_at = case when kept.created_at < now() - interval '24 hours' then now() else kept.created_at end
    where kept.created_at < now() - interval '24 hours'
      or (kept.state = 'running' and kept.lease_until < now() and kept.request_hash = excluded.request_hash)
    returning work_id`.execute(db.query)
  return rows[0]?.work_id
}

function work(db: Database<Tables>, scope: Buffer, holder: string, workId: string): Claim {
  const own = () => db.query.updateTable('idempotency').where('scope', '=', scope).where('holder', '=', holder)
  const renewal = setInterval(() => {
    own()
      .set({ lease_until: new Date(Date.now() + leaseMs) })
      .execute()
      .catch(() => {})
  }, renewEveryMs)
  return {
    kind: 'work',
    workId,
    keep: async (answer, logIds) => {
      clearInterval(renewal)
      await own()
        .set({
          state: 'done',
          status: answer.status,
          content_type: answer.contentType,
          body: answer.body,
          log_ids: [...logIds],
        })
        .execute()
    },
    release: async () => {
      clearInterval(renewal)
      await db.query.deleteFrom('idempotency').where('scope', '=', scope).where('holder', '=', holder).execute()
    },
  }
}

function scopeOf(request: IdempotentRequest): Buffer {
  const { actor, method, path, key } = request
  const caller = actor.keyId === null ? `user:${actor.userId}` : `key:${actor.keyId}`
  return createHash('sha256')
    .update(JSON.stringify([actor.userId, caller, method, path, key]))
    .digest()
}

/** Forgets answers older than 24 hours. */
export async function forgetOldAnswers(db: Database<Tables>): Promise<void> {
  await sql`delete from idempotency where created_at < now() - interval '24 hours'`.execute(db.query)
}

/** Frees the keys whose answers speak of an erased log. */
export async function forgetAnswersAbout(db: Database<Tables>['query'], logId: number): Promise<void> {
  await sql`delete from idempotency where log_ids @> array[${logId}]::bigint[]`.execute(db)
}
