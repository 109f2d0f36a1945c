import { join } from 'node:path'
import { consumer } from '@asiento/chassis/consume'
import { createSealer } from '@asiento/chassis/sealed'
import { defineService } from '@asiento/chassis/service'
import { createFileTransport, createSmtpTransport } from './adapters/mail-transport.ts'
import type { Tables } from './adapters/tables.ts'
import { createWebhookClient } from './adapters/webhook-client.ts'
import { createDrain } from './app/drain.ts'
import { mailFinishedBatch } from './app/mail/batch-mail.ts'
import { mailChannel, queueMail } from './app/mail/queue-mail.ts'
import { forgetOldMails, sendDueMails } from './app/mail/send-mails.ts'
import { createKeyring } from './app/webhooks/secrets.ts'
import { createWebhooks } from './app/webhooks/webhooks.ts'
import { notificationsEnvironment } from './config.ts'

/** Webhooks and mail: what leaves the house. */
export const notifications = defineService<Tables>()({
  name: 'notifications',
  config: notificationsEnvironment,
  migrations: new URL('../migrations/', import.meta.url),
  create: async ({ config, dataDirectory, db, log, rpc, clock, ids }) => {
    const transport = config.SMTP_URL
      ? createSmtpTransport(config.SMTP_URL)
      : createFileTransport(join(dataDirectory, 'mail'))
    const mailDeps = {
      db,
      clock,
      log,
      transport,
      from: config.MAIL_FROM,
      publicUrl: config.PUBLIC_URL,
      retrySeconds: config.MAIL_RETRY_SECONDS,
    }
    const mailQueue = createDrain('mail', log, sendDueMails(mailDeps))
    const stopListening = await db.listen(mailChannel, () => mailQueue.wake())
    const sealer = createSealer(config.MASTER_KEY, 'notifications/webhooks')
    const webhooks = await createWebhooks(
      {
        db,
        rpc,
        log,
        clock,
        ids,
        client: createWebhookClient({
          allowPrivate: config.WEBHOOK_ALLOW_PRIVATE_NETWORKS,
          connectionsPerOrigin: config.WEBHOOK_CONCURRENCY_PER_DESTINATION * 8,
        }),
        sealer,
        keyring: createKeyring(sealer),
        retrySeconds: config.WEBHOOK_RETRY_SECONDS,
        perDestination: config.WEBHOOK_CONCURRENCY_PER_DESTINATION,
        concurrency: config.WEBHOOK_CONCURRENCY,
      },
      config.MASTER_KEY[0]?.kid ?? '',
    )
    return {
      handlers: { ...webhooks.handlers, health: async () => ({ status: 'ok' as const }) },
      consumers: [
        ...webhooks.consumers,
        consumer<Tables, 'mail.requested'>({
          event: 'mail.requested',
          group: 'notifications.mail',
          handle: (tx, { payload }) => queueMail(tx, payload, clock.now()),
        }),
        consumer<Tables, 'batch.finished'>({
          event: 'batch.finished',
          group: 'notifications.batch-mail',
          handle: mailFinishedBatch({ rpc, clock }),
        }),
      ],
      schedules: [
        ...webhooks.schedules,
        { name: 'send-mails', everyMs: 1_000, run: () => mailQueue.run() },
        { name: 'forget-old-mails', everyMs: 3_600_000, run: forgetOldMails({ db, clock }) },
      ],
      close: async () => {
        await webhooks.close()
        await stopListening()
        await mailQueue.close()
        transport.close()
      },
    }
  },
})
