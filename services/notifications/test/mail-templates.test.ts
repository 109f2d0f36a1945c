import { events } from '@asiento/proto/events'
import { describe, expect, test } from 'vitest'
import { fillTemplate, type MailData, type MailTemplate } from '../src/domain/mail-templates.ts'
import { renderMail } from '../src/domain/render-mail.ts'

const link = 'https://asiento.example/x?token=a&b=1'
const samples: Record<MailTemplate, MailData> = {
  verify: { full_name: 'Ana', link, valid_hours: 24 },
  already_registered: { full_name: 'Ana', link, valid_hours: null },
  reset: { full_name: 'Ana', link, valid_hours: 1 },
  batch_finished: { job_id: 'job-1', total: 60, processed: 60, failed: 2, status: 'done', link },
  quota_warning: { full_name: 'Ana', used: 130, quota: 150, remaining: 20, plan: 'starter', link },
  certificate_expiring: { name: 'Firma', subject: 'CN=Ana', expires_at: '2026-05-01', link },
  webhook_switched_off: { url: 'https://a.example/hook', reason: 'failing', link },
  trial_ending: { full_name: 'Ana', trial_ends_at: '2026-05-01', link },
}

const names = events['mail.requested'].schema.shape.template.options
const cases = names.flatMap((template) => (['es', 'en'] as const).map((locale) => ({ template, locale })))

describe('every template in both languages', () => {
  test.each(cases)('$template in $locale says every value, in text and in HTML', ({ template, locale }) => {
    const { subject, text, html } = renderMail(fillTemplate(template, locale, samples[template]), locale)
    expect(subject.length).toBeGreaterThan(10)
    expect(`${subject}${text}${html}`).not.toMatch(/undefined|null|NaN/)
    expect(text).toContain(link)
    expect(html).toContain(link.replace('&', '&amp;'))
    expect(html).toContain(`<html lang="${locale}">`)
    const shown = Object.entries(samples[template]).filter(
      ([name, value]) => value !== null && !['subject', 'reason', 'status'].includes(name),
    )
    for (const [, value] of shown) expect(text).toContain(String(value))
  })
})

test('a name full of markup and line breaks stays a name', () => {
  const data = { full_name: '<img src=x>\r\nBcc: all@example.com', link, valid_hours: 24 }
  const { text, html } = renderMail(fillTemplate('verify', 'es', data), 'es')
  expect(html).not.toContain('<img')
  expect(text).not.toContain('\r\nBcc')
})
