import { createHash } from 'node:crypto'
import MailComposer from 'nodemailer/lib/mail-composer'
import { fillTemplate } from '../../domain/mail-templates.ts'
import { renderMail } from '../../domain/render-mail.ts'
import type { MailRow } from './send-mails.ts'

/**
 * The mail as it travels: the same bytes on every attempt, with a Message-ID made from the mail's id, so that a receiving
 * server can tell a repetition.
 */
export async function composeMail(row: MailRow, settings: { from: string; publicUrl: string }): Promise<Buffer> {
  // Templates without a link of their own lead to the dashboard.
  const data = { link: settings.publicUrl, ...row.data }
  const { subject, text, html } = renderMail(fillTemplate(row.template, row.locale, data), row.locale)
  const digest = createHash('sha256').update(row.mail_id).digest('hex')
  const domain = addressOf(settings.from).split('@').at(-1)
  const composer = new MailComposer({
    from: settings.from,
    to: row.recipient,
    subject,
    text,
    html,
    date: row.created_at,
    messageId: `<${digest.slice(0, 40)}@${domain}>`,
    headers: { 'auto-submitted': 'auto-generated', 'x-asiento-template': row.template },
    baseBoundary: digest.slice(0, 24),
  } as never)
  return composer.compile().build()
}

/** The bare address of `Name <address>`. */
export const addressOf = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim()
