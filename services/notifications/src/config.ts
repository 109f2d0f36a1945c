import { flag, keyList, whole } from '@asiento/chassis/config'
import { z } from 'zod'

const secondsList = z
  .string()
  .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?)*$/, 'Use seconds, separated by commas')
  .transform((text) => text.split(',').map(Number))

/** The notifications service's environment. */
export const notificationsEnvironment = z.object({
  /** The address of the dashboard; mails link to it. */
  PUBLIC_URL: z.url().default('http://localhost:8080'),
  /** `smtp://user:password@host:port` or `smtps://…`; absent: each mail becomes an .eml file in the data folder. */
  SMTP_URL: z.url().optional(),
  MAIL_FROM: z.string().default('Asiento <no-reply@asiento.invalid>'),
  /** Seconds before each further attempt of a mail. */
  MAIL_RETRY_SECONDS: secondsList.default([30, 120, 600, 1_800, 7_200, 21_600, 43_200]),
  /** Seals webhook secrets: `kid:base64,…`; the first seals, all open. */
  MASTER_KEY: keyList,
  /** For development: lets webhooks reach private and loopback addresses. */
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: flag(false),
  /** Seconds before each further attempt of a delivery. */
  WEBHOOK_RETRY_SECONDS: secondsList.default([10, 60, 300, 1_800, 7_200, 21_600, 86_400]),
  /** Requests at a time to one webhook, and in all. */
  WEBHOOK_CONCURRENCY_PER_DESTINATION: whole({ min: 1, max: 64, fallback: 4 }),
  WEBHOOK_CONCURRENCY: whole({ min: 1, max: 1_024, fallback: 256 }),
})

export type NotificationsConfig = z.output<typeof notificationsEnvironment>
