import type { EventPayload } from '@asiento/proto/events'
import type { Generated } from 'kysely'

/** The tables of notifications, as `migrations/` makes them. */
export interface Tables {
  mails: {
    mail_id: string
    recipient: string
    locale: 'es' | 'en'
    template: EventPayload<'mail.requested'>['template']
    data: EventPayload<'mail.requested'>['data']
    status: Generated<'queued' | 'handing_over' | 'sent' | 'in_doubt' | 'failed'>
    attempts: Generated<number>
    next_attempt_at: Date
    lease_until: Date | null
    last_error: string | null
    created_at: Date
    sent_at: Date | null
  }
}
