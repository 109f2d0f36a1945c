import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openDatabase } from '@asiento/chassis/db'
import { createLog } from '@asiento/chassis/log'
import { migrate } from '@asiento/chassis/migrate'
import { cloneDatabase, dropDatabase } from '@asiento/chassis/testing/database'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { notifications } from '../src/service.ts'

test('deliveries written before events were kept once keep id, body, order and outcome', async () => {
  const older = await mkdtemp(join(tmpdir(), 'asiento-migrations-'))
  for (const file of ['0001_create_mails.sql', '0002_create_webhooks.sql']) {
    await cp(new URL(file, notifications.migrations), join(older, file))
  }
  const schema = 'notifications'
  const url = await cloneDatabase('template_notifications_before_events', async (template) => {
    await migrate({ url: template, schema, directory: pathToFileURL(`${older}/`) })
  })
  const log = createLog({ name: 'test', level: 'silent' })
  const db = openDatabase({ url, schema, poolMax: 1, log })
  try {
    await sql`
      insert into webhooks (user_id, url, events, secret, created_at)
      select 7, 'https://example.com/' || n, '{*}', '{}', now() from generate_series(1, 2) as n`.execute(db.query)
    await sql`
      insert into deliveries (id, webhook_id, event, event_id, order_key, body, status, attempts, next_attempt_at, created_at)
      select md5('delivery' || e || w)::uuid, w, 'invoice.extracted', md5('event' || e)::uuid, 'log:' || e, '{"e":' || e || '}',
        case when w = 1 then 'delivered' else 'pending' end, w, now(), now()
      from generate_series(1, 3) as e, generate_series(1, 2) as w order by e, w`.execute(db.query)
    await migrate({ url, schema, directory: notifications.migrations })
    const { rows } = await sql`
      select e.user_id, e.order_key, e.body, d.webhook_id, d.status, d.attempts, d.id = md5('delivery' || e.seq || d.webhook_id)::uuid as same_id
      from events e join deliveries d on d.event_id = e.id order by e.seq, d.seq`.execute(db.query)
    expect(rows).toEqual(
      [1, 2, 3].flatMap((event) =>
        [1, 2].map((webhook) => ({
          user_id: 7,
          order_key: `log:${event}`,
          body: `{"e":${event}}`,
          webhook_id: webhook,
          status: webhook === 1 ? 'delivered' : 'pending',
          attempts: webhook,
          same_id: true,
        })),
      ),
    )
  } finally {
    await db.close()
    await dropDatabase(url)
    await rm(older, { recursive: true })
  }
})
