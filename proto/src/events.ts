import { z } from 'zod'
import { scopeSchema } from './actor.ts'

/**
 * The event catalogue: every message that crosses services, its topic, its key and its payload.
 *
 * Topics are versioned by name; a payload only ever gains optional fields within a version. Keys decide order: events
 * with one key are applied in the order in which they were committed.
 */
interface EventRow {
  topic: string
  schema: z.ZodType
}

const event = <S extends z.ZodType>(topic: string, schema: S) => ({ topic, schema }) satisfies EventRow

const mailTemplates = [
  'verify',
  'already_registered',
  'reset',
  'batch_finished',
  'quota_warning',
  'certificate_expiring',
  'webhook_switched_off',
  'trial_ending',
] as const

export const events = {
  'invoice.extracted': event(
    'asiento.invoice.extracted.v1',
    z.object({
      logId: z.number().int(),
      scope: scopeSchema,
      source: z.enum(['extract', 'batch', 'convert', 'import']),
      externalRef: z.string().nullable(),
      filename: z.string(),
      vendorName: z.string().nullable(),
      vendorVat: z.string().nullable(),
      invoiceNumber: z.string().nullable(),
      totalCents: z.number().int().nullable(),
      confidence: z.number(),
      accountCode: z.string().nullable(),
      duplicate: z.boolean().nullable(),
    }),
  ),
  'invoice.signed': event(
    'asiento.invoice.signed.v1',
    z.object({
      logId: z.number().int(),
      scope: scopeSchema,
      externalRef: z.string().nullable(),
      storageFileId: z.string(),
      invoiceNumber: z.string(),
      invoiceDate: z.string(),
      expiresAt: z.string(),
    }),
  ),
  'extraction.corrected': event(
    'asiento.extraction.corrected.v1',
    z.object({ logId: z.number().int(), scope: scopeSchema, fields: z.record(z.string(), z.unknown()) }),
  ),
  'extraction.erased': event('asiento.extraction.erased.v1', z.object({ logId: z.number().int(), scope: scopeSchema })),
  'credits.settled': event(
    'asiento.credits.settled.v1',
    z.object({ reservationId: z.string(), outcome: z.enum(['commit', 'release']) }),
  ),
  'quota.warning': event(
    'asiento.quota.warning.v1',
    z.object({
      userId: z.number().int(),
      used: z.number().int(),
      quota: z.number().int(),
      remaining: z.number().int(),
      plan: z.string(),
      period: z.string(),
    }),
  ),
  'batch.finished': event(
    'asiento.batch.finished.v1',
    z.object({
      jobId: z.string(),
      scope: scopeSchema,
      total: z.number().int(),
      processed: z.number().int(),
      failed: z.number().int(),
      status: z.string(),
    }),
  ),
  /** A wake-up: the items themselves are claimed from PostgreSQL. */
  'batch.item.ready': event('asiento.batch.item.ready.v1', z.object({ jobId: z.string(), userId: z.number().int() })),
  'mail.requested': event(
    'asiento.mail.requested.v1',
    z.object({
      /** Makes a mail unique: a second request with the same id is not sent. */
      mailId: z.string(),
      to: z.string(),
      locale: z.enum(['es', 'en']),
      template: z.enum(mailTemplates),
      data: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    }),
  ),
  /** A ledger entry that came from an extraction was settled, or is open again: due dates leave settled ones out. */
  'ledger.log.settled': event(
    'asiento.ledger.log.settled.v1',
    z.object({ logId: z.number().int(), userId: z.number().int(), settled: z.boolean() }),
  ),
  'account.changed': event(
    'asiento.account.changed.v1',
    z.object({ userId: z.number().int(), change: z.enum(['plan', 'suspended', 'restored', 'ledger_plan']) }),
  ),
} as const satisfies Record<string, EventRow>

export type EventName = keyof typeof events
export type EventPayload<N extends EventName> = z.infer<(typeof events)[N]['schema']>

/** An event as consumers receive it. */
export interface EventMessage<N extends EventName = EventName> {
  /** UUID, the same on every delivery. */
  id: string
  name: N
  key: string
  /** ISO 8601, when it was committed. */
  occurredAt: string
  payload: EventPayload<N>
}
