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
})

export type NotificationsConfig = z.output<typeof notificationsEnvironment>
