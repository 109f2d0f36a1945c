import type { OperationId } from '@asiento/proto/operations'
import type { Answer } from '../e2e/api.ts'
import type { Account, House } from '../provision/accounts.ts'
import { pdf, signer, withKey, withToken } from './door.ts'

/** One of each thing that an account can own, by the name of its path parameter. */
export type Owned = Record<string, string>

const today = '2026-03-02'
const line = { description: 'Trabajo', quantity: 1, unit_price: 100, total: 100, tax_rate: 21 }

/** Makes one of each resource: logs and jobs with the key, the rest with the session. */
export async function makeResources(door: House, owner: Account, key: string, webhookUrl: string): Promise<Owned> {
  const person = withToken(door, owner)
  const program = withKey(door, key)
  const made = async (call: Promise<Answer>, field: string): Promise<string> => {
    const answer = await call
    if (answer.status >= 300) throw new Error(`${field}: ${answer.status} ${answer.bytes}`)
    return String(answer.body[field])
  }
  const bytes = await pdf()
  const file = { name: 'factura.pdf', bytes }
  const form = new FormData()
  form.append('name', 'Prueba')
  form.append('password', 'asiento')
  form.append('file', new Blob([new Uint8Array(await signer())]), 'a.p12')
  const entry = { type: 'expense', date: today, concept: 'Material', base: 100, tax_rate: 21 }
  const recurring = { ...entry, date: undefined, frequency: 'monthly', start_date: '2199-01-01' }
  const buyer = { name: 'Clienta SA', vat: 'A58818501', address: 'Mayor 1', city: 'Madrid', postal_code: '28001' }
  const subaccount = await made(person.send('POST', '/subaccounts', { name: 'Cliente' }), 'id')
  const entryId = await made(person.send('POST', '/contabilidad/entries', entry), 'id')
  await made(person.upload(`/contabilidad/entries/${entryId}/attachment`, [file]), 'entry_id')
  const webhook = await made(person.send('POST', '/webhooks', { url: webhookUrl }), 'id')
  await made(person.upload('/user/certificate?password=asiento', [{ name: 'a.p12', bytes: await signer() }]), 'subject')
  return {
    log_id: await made(program.upload('/extract', [file]), '_log_id'),
    job_id: await made(program.upload('/batch/job', [{ ...file, field: 'files' }]), 'job_id'),
    certificate_id: await made(person.raw('POST', '/certificates', { body: form }), 'certificate_id'),
    subaccount_id: subaccount,
    key_id: await made(person.send('POST', `/subaccounts/${subaccount}/keys`, { name: 'Caja', quota: 10 }), 'id'),
    id: webhook,
    delivery_id: '00000000-0000-4000-8000-000000000000',
    entry_id: entryId,
    rid: await made(person.send('POST', '/contabilidad/recurring', recurring), 'id'),
    pid: await made(
      person.send('POST', '/contabilidad/proposals', {
        client: { name: 'Clienta SA' },
        title: 'Obra',
        line_items: [line],
      }),
      'id',
    ),
    recurring_invoice: await made(
      person.send('POST', '/contabilidad/recurring-invoices', {
        buyer,
        concept: 'Cuota',
        line_items: [{ description: 'Cuota', quantity: 1, unit_price: 100, tax_rate: 21 }],
        frequency: 'monthly',
        start_date: '2199-01-01',
      }),
      'id',
    ),
    vendor_vat: 'B12345674',
    model: '303',
    n: '1',
  }
}

/** Parameters that name nobody's property. */
export const ownerless = new Set(['vendor_vat', 'model', 'n'])

/** Bodies that are right in form, for operations with parameters in the path. */
export const bodies: Partial<Record<OperationId, unknown>> = {
  correctExtraction: { total: 1 },
  updateSubaccount: { name: 'Otro' },
  createSubaccountKey: { name: 'Caja', quota: 5 },
  updateWebhook: { active: false },
  updateEntry: { notes: 'ajena' },
  confirmBankMatch: {},
  updateProposal: { notes: 'ajena' },
}
