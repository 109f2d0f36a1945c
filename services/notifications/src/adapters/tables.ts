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
  webhooks: {
    id: Generated<number>
    user_id: number
    url: string
    events: string[]
    active: Generated<boolean>
    paused: Generated<boolean>
    disabled_reason: 'failing' | 'gone' | null
    failing_since: Date | null
    secret: StoredEnvelope
    previous_secret: StoredEnvelope | null
    previous_until: Date | null
    created_at: Date
  }
  events: {
    id: string
    seq: Generated<number>
    user_id: number
    event: string
    order_key: string
    body: string
    test: Generated<boolean>
    created_at: Date
  }
  deliveries: {
    id: string
    seq: Generated<number>
    webhook_id: number
    event_id: string
    status: 'pending' | 'delivered' | 'failed'
    attempts: Generated<number>
    tries: Generated<number>
    next_attempt_at: Date
    holder: string | null
    lease_until: Date | null
    response_status: number | null
    duration_ms: number | null
    last_error: string | null
  }
}

/** An envelope as JSON: its bytes in base64. */
export interface StoredEnvelope {
  kid: string
  wrapped_key: string
  sealed: string
}
