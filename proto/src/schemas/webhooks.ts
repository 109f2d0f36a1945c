import { z } from 'zod'
import { idSchema, timestampSchema } from './common.ts'

/** The kinds of events a webhook may subscribe to; `*` is all of them. */
export const webhookEvents = ['invoice.extracted', 'invoice.signed', 'quota.warning'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

// Form only: what an address or an event kind must be is told by WEBHOOK_INVALID_URL and WEBHOOK_INVALID_EVENT.
const url = z
  .string()
  .max(2_048)
  .meta({ examples: ['https://example.com/hooks/asiento'] })
const kinds = z.array(z.string().max(100)).max(20)

export const webhookBody = z.object({
  url,
  events: kinds.default(['*']),
  secret: z.string().min(1).max(256).optional(),
})

export const webhookPatch = z.object({ url: url.optional(), events: kinds.optional(), active: z.boolean().optional() })

export const webhookParams = z.object({ id: idSchema })
export const deliveryParams = z.object({ id: idSchema, delivery_id: z.string().max(100) })

/** A webhook without its secret. */
export const webhookSchema = z.object({
  id: z.int(),
  url: z.string(),
  events: z.array(z.string()),
  active: z.boolean(),
  /** Why it was switched off by the service: `failing` (five days) or `gone` (410). */
  disabled_reason: z.enum(['failing', 'gone']).nullable(),
  created_at: timestampSchema,
})
export type Webhook = z.infer<typeof webhookSchema>

/** The secret is shown here and never again. */
export const webhookWithSecret = webhookSchema.extend({ secret: z.string() })
export const webhookRotated = webhookWithSecret.extend({ previous_secret_until: timestampSchema })
export const webhookList = z.object({ webhooks: z.array(webhookSchema) })

export const deliverySchema = z.object({
  id: z.uuid(),
  event: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.int(),
  response_status: z.int().nullable(),
  duration_ms: z.int().nullable(),
  last_error: z.string().nullable(),
  created_at: timestampSchema,
  next_attempt_at: timestampSchema.nullable(),
})
export type Delivery = z.infer<typeof deliverySchema>
export const deliveryList = z.object({ deliveries: z.array(deliverySchema) })
