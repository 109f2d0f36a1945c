import { join } from 'node:path'
import { consumer } from '@asiento/chassis/consume'
import { defineService } from '@asiento/chassis/service'
import { createFileTransport, createSmtpTransport } from './adapters/mail-transport.ts'
import type { Tables } from './adapters/tables.ts'
import { createDrain } from './app/drain.ts'
import { mailFinishedBatch } from './app/mail/batch-mail.ts'
import { mailChannel, queueMail } from './app/mail/queue-mail.ts'
import { forgetOldMails, sendDueMails } from './app/mail/send-mails.ts'
import { notificationsEnvironment } from './config.ts'

/** Webhooks and mail: what leaves the house. */
export const notifications = defineService<Tables>()({
  name: 'notifications',
  config: notificationsEnvironment,
  migrations: new URL('../migrations/', import.meta.url),
  create: async ({ config, dataDirectory, db, log, rpc, clock }) => {
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
    return {
      handlers: { health: async () => ({ status: 'ok' as const }) },
      consumers: [
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
        { name: 'send-mails', everyMs: 1_000, run: () => mailQueue.run() },
        { name: 'forget-old-mails', everyMs: 3_600_000, run: forgetOldMails({ db, clock }) },
      ],
      close: async () => {
        await stopListening()
        await mailQueue.close()
        transport.close()
      },
    }
  },
})
