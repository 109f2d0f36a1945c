import type { Actor } from '@asiento/proto/actor'
import { AppError, fail, ValidationFailure } from '@asiento/proto/errors'
import { euros } from '@asiento/proto/money'
import type { Handlers } from '@asiento/proto/rpc'
import { type PaymentMethod, paymentMethods } from '@asiento/proto/schemas/extraction-result'
import { type Selectable, sql } from 'kysely'
import type { IssuedInvoicesTable } from '../adapters/out/tables.ts'
import { lineTotal } from '../domain/line-items.ts'
import { type FiscalProfile, readProfile } from './fiscal-profile.ts'
import { type Ledger, nowOf } from './ledger.ts'
import { owned } from './owned.ts'
import type { InvoiceTemplate } from './recurring-invoices.ts'

type IssuedRow = Selectable<IssuedInvoicesTable>

/** How long one attempt may take before another process tries, and the pauses between attempts. */
const leaseSeconds = 180
const pauseSeconds = [15, 60, 300, 900, 3600]

/**
 * Builds the Facturae of issued invoices that have none yet, and signs it where the owner asked for it. Number and entry
 * stand already; an invoice that cannot be built says why and is tried again.
 */
export async function issueInvoices(ledger: Ledger): Promise<void> {
  for (;;) {
    const claimed = await claim(ledger)
    if (claimed.length === 0) return
    for (const row of claimed) await issue(ledger, row)
  }
}

async function claim(ledger: Ledger): Promise<IssuedRow[]> {
  const now = ledger.clock.now()
  const { rows } = await sql<IssuedRow>`
    update issued_invoices set next_attempt_at = ${after(now, leaseSeconds)}, attempts = attempts + 1
    where id in (
      select id from issued_invoices where status = 'pending' and next_attempt_at <= ${now.toISOString()}
      order by id limit 10 for update skip locked)
    returning *`.execute(ledger.db.query)
  return [...rows].sort((a, b) => a.id - b.id)
}

const after = (instant: Date, seconds: number): string => new Date(instant.getTime() + seconds * 1000).toISOString()

async function issue(ledger: Ledger, row: IssuedRow): Promise<void> {
  try {
    const actor = await actorOf(ledger, row.user_id)
    const profile = await readProfile(ledger.db.query, row.user_id)
    const invoice = facturaeInput(row, profile)
    const built = await ledger.rpc.facturae.issueInvoice(
      { issueId: `ledger:${row.id}`, invoice, sign: row.sign },
      { actor, requestId: `ledger-invoice-${row.id}` },
    )
    const objectKey = `ledger/invoices/${row.id}.xml`
    await ledger.objects.put(objectKey, Buffer.from(built.xml, 'utf8'))
    if (built.logId !== null) await keepLog(ledger, row, built.logId)
    await ledger.db.query
      .updateTable('issued_invoices')
      .set({ status: 'issued', object_key: objectKey, filename: built.filename, log_id: built.logId, last_error: null })
      .where('id', '=', row.id)
      .execute()
  } catch (error) {
    const pause = pauseSeconds[Math.min(row.attempts - 1, pauseSeconds.length - 1)] ?? 3600
    ledger.log.warn({ err: error, invoice: row.id, attempt: row.attempts }, 'invoice not built')
    await ledger.db.query
      .updateTable('issued_invoices')
      .set({ last_error: reasonOf(error), next_attempt_at: after(ledger.clock.now(), pause) })
      .where('id', '=', row.id)
      .execute()
  }
}

/** The log of a signed invoice is its entry's own: importing must not make a second entry of it. */
async function keepLog(ledger: Ledger, row: IssuedRow, logId: number): Promise<void> {
  await ledger.db.query
    .insertInto('imported_logs')
    .values({ user_id: row.user_id, log_id: logId, imported_at: `${nowOf(ledger)}+00` })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function actorOf({ rpc }: Ledger, userId: number): Promise<Actor> {
  const scope = { userId, keyId: null, subaccountId: null, sandbox: false }
  const actor = await rpc.identity.actorFor(scope, { actor: null, requestId: `ledger-${userId}` })
  return actor ?? fail('ACCESS_DENIED', { detail: 'La cuenta ya no existe.' })
}

/** What may be shown of a failure. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.detail}`
  if (error instanceof ValidationFailure)
    return error.issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
  return 'SERVICE_ERROR'
}

/** The invoice as the JSON mode of /convert takes it (section 2.4). */
export function facturaeInput(
  row: Pick<IssuedRow, 'invoice' | 'invoice_number' | 'date'>,
  profile: FiscalProfile,
): Record<string, unknown> {
  const template = row.invoice as unknown as InvoiceTemplate
  const missing = (['legal_name', 'nif'] as const).filter((field) => profile[field] === null)
  if (missing.length > 0) {
    fail('INVALID_INPUT', { detail: `Completa el perfil fiscal para emitir la factura: ${missing.join(', ')}.` })
  }
  const method = paymentMethods.find((name): name is PaymentMethod => name === template.paymentMethod)
  const fields = {
    vendor_name: profile.legal_name,
    vendor_vat: profile.nif,
    vendor_address: profile.address,
    vendor_city: profile.city,
    vendor_province: profile.province,
    vendor_postal_code: profile.postal_code,
    vendor_country: alpha3(profile.country),
    vendor_email: profile.email,
    buyer_name: template.buyer.name,
    buyer_vat: template.buyer.vat,
    buyer_address: template.buyer.address,
    buyer_city: template.buyer.city,
    buyer_postal_code: template.buyer.postal_code,
    buyer_province: template.buyer.province,
    buyer_country: template.buyer.country,
    invoice_number: row.invoice_number,
    invoice_date: row.date,
    currency: 'EUR',
    subtotal: euros(template.baseCents),
    tax: euros(template.taxCents),
    irpf_rate: template.irpfRate,
    irpf_amount: template.irpfCents === 0 ? null : euros(template.irpfCents),
    total: euros(template.totalCents),
    iban: profile.iban,
    payment_method: method,
    line_items: template.lineItems.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      unit_price: line.unit_price,
      total: euros(lineTotal(line)),
      tax_rate: line.tax_rate ?? 21,
    })),
  }
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  )
}

const alpha3 = (country: string | null): string => (country?.length === 3 ? country : 'ESP')

/** The XML of an issued invoice, for the owner of its entry. */
export const issuedInvoiceXml =
  (ledger: Ledger): Handlers<'ledger'>['getEntryFacturae'] =>
  async ({ params }, { actor }) => {
    const entry = await ledger.db.query
      .selectFrom('entries')
      .select('user_id')
      .where('id', '=', params.entry_id)
      .executeTakeFirst()
    owned(entry, actor.userId)
    const invoice = await ledger.db.query
      .selectFrom('issued_invoices')
      .select(['object_key', 'filename'])
      .where('entry_id', '=', params.entry_id)
      .executeTakeFirst()
    if (invoice?.object_key == null) return fail('NOT_FOUND', { detail: 'The entry has no Facturae XML (yet).' })
    return {
      objectKey: invoice.object_key,
      filename: invoice.filename ?? 'facturae.xml',
      contentType: 'application/xml',
    }
  }
