import type { MailContent, MailLocale } from './mail-templates.ts'

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

/** A mail as text and as HTML that says the same; every value is escaped. */
export function renderMail(content: MailContent, locale: MailLocale): RenderedMail {
  return { subject: content.subject, text: asText(content), html: asHtml(content, locale) }
}

const asText = ({ paragraphs, action }: MailContent): string =>
  [...paragraphs, ...(action ? [`${action.label}:\n${action.url}`] : []), '-- \nAsiento'].join('\n\n')

function asHtml({ subject, paragraphs, action }: MailContent, locale: MailLocale): string {
  const button = action
    ? `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="background:#1d4ed8;color:#fff;padding:12px 20px;border-radius:6px;text-decoration:none">${escapeHtml(action.label)}</a></p>
<p style="font-size:13px;color:#6b7280;word-break:break-all">${escapeHtml(action.url)}</p>`
    : ''
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:#f3f4f6;font:16px/1.5 system-ui,sans-serif;color:#111827">
<div style="max-width:560px;margin:0 auto;padding:32px 24px;background:#fff">
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
${button}
<p style="font-size:13px;color:#6b7280">Asiento</p>
</div>
</body>
</html>
`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
