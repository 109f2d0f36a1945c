import type { EventPayload } from '@asiento/proto/events'
import { euros } from '@asiento/proto/money'
import type { WebhookEvent } from '@asiento/proto/schemas/webhooks'

/** The body of a delivery, section 6 of the specification: `timestamp` in Unix seconds. */
export const envelope = (event: WebhookEvent, at: Date, data: Record<string, unknown>): string =>
  JSON.stringify({ event, timestamp: Math.floor(at.getTime() / 1_000), data })

export const extractedData = (payload: EventPayload<'invoice.extracted'>) => ({
  log_id: payload.logId,
  external_ref: payload.externalRef,
  filename: payload.filename,
  vendor_name: payload.vendorName,
  vendor_vat: payload.vendorVat,
  invoice_number: payload.invoiceNumber,
  total: payload.totalCents === null ? null : euros(payload.totalCents),
  confidence: payload.confidence,
  accounting: { account_code: payload.accountCode },
  fraud_checks: { duplicate: { detected: payload.duplicate ?? false } },
})

export const signedData = (payload: EventPayload<'invoice.signed'>) => ({
  log_id: payload.logId,
  external_ref: payload.externalRef,
  storage_file_id: payload.storageFileId,
  invoice_number: payload.invoiceNumber,
  invoice_date: payload.invoiceDate,
  expires_at: payload.expiresAt.slice(0, 10),
  download_endpoint: `/invoices/${payload.logId}/facturae`,
})

export const quotaData = ({ used, quota, remaining, plan }: EventPayload<'quota.warning'>, locale: 'es' | 'en') => ({
  used,
  quota,
  remaining,
  pct_remaining: quota === 0 ? 0 : Math.round((remaining / quota) * 10_000) / 100,
  plan,
  message:
    locale === 'es'
      ? `Quedan ${remaining} de ${quota} facturas este mes.`
      : `${remaining} of ${quota} invoices are left this month.`,
})

/** What a test sends: the shape of a real event with data that cannot be taken for one. */
export const sampleData: Record<WebhookEvent, Record<string, unknown>> = {
  'invoice.extracted': {
    log_id: 0,
    external_ref: 'test',
    filename: 'test.pdf',
    vendor_name: 'Ejemplo SL',
    vendor_vat: 'B00000000',
    invoice_number: 'TEST-1',
    total: 121,
    confidence: 1,
    accounting: { account_code: '629' },
    fraud_checks: { duplicate: { detected: false } },
  },
  'invoice.signed': {
    log_id: 0,
    external_ref: 'test',
    storage_file_id: 'test',
    invoice_number: 'TEST-1',
    invoice_date: '2026-01-01',
    expires_at: '2032-01-01',
    download_endpoint: '/invoices/0/facturae',
  },
  'quota.warning': { used: 0, quota: 0, remaining: 0, pct_remaining: 0, plan: 'pro', message: 'Test' },
}
