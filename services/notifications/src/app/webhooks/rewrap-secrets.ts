import { sql } from 'kysely'
import type { StoredEnvelope } from '../../adapters/tables.ts'
import type { WebhookDeps } from './deps.ts'
import { rewrapSecret } from './secrets.ts'

/** Brings secrets under the first master key, so that an older one can be taken out of the configuration. */
export const rewrapSecrets =
  ({ db, sealer, clock }: Pick<WebhookDeps, 'db' | 'sealer' | 'clock'>, firstKid: string) =>
  async (): Promise<void> => {
    await db.query
      .updateTable('webhooks')
      .set({ previous_secret: null, previous_until: null })
      .where('previous_until', '<', clock.now())
      .execute()
    for (const column of ['secret', 'previous_secret'] as const) {
      const { rows } = await sql<{ id: number; user_id: number; envelope: StoredEnvelope }>`
        select id, user_id, ${sql.ref(column)} as envelope from webhooks
        where ${sql.ref(column)} ->> 'kid' <> ${firstKid} limit 500`.execute(db.query)
      for (const row of rows) {
        const next = JSON.stringify(rewrapSecret(sealer, row.envelope, row.user_id))
        // Only over the very secret that was read: a rotation meanwhile wins.
        await sql`update webhooks set ${sql.ref(column)} = ${next}::jsonb
          where id = ${row.id} and ${sql.ref(column)} = ${JSON.stringify(row.envelope)}::jsonb`.execute(db.query)
      }
    }
  }
