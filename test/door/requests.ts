import type { OperationId } from '@asiento/proto/operations'
import type { Owned } from './resources.ts'

const line = { description: 'Mantenimiento de la web', quantity: 1, unit_price: 100, tax_rate: 21 }
const buyer = { name: 'Clienta SA', vat: 'A58818501', address: 'Mayor 1', city: 'Madrid', postal_code: '28001' }
const invoiceData = {
  vendor_name: 'Suministros Pardo, S.L.',
  vendor_vat: 'B12345674',
  vendor_address: 'Calle Real 5',
  vendor_city: 'Getafe',
  vendor_postal_code: '28901',
  buyer_name: 'Clienta SA',
  buyer_vat: 'A58818501',
  buyer_address: 'Mayor 1',
  buyer_city: 'Madrid',
  buyer_postal_code: '28001',
  invoice_number: '2026-0041',
  invoice_date: '2026-03-02',
  subtotal: 100,
  tax: 21,
  total: 121,
  declared_tax_rate: 21,
  line_items: [{ ...line, total: 100 }],
}

/** A body for each operation that takes JSON, by what an account owns. */
export const requests: Partial<Record<OperationId, (owned: Owned) => unknown>> = {
  revokeKey: ({ other_key }) => ({ key: other_key }),
  revokeKeyById: ({ other_key_id }) => ({ id: Number(other_key_id) }),
  categorize: () => ({
    vendor_name: 'Iberdrola Clientes, S.A.U.',
    line_items: [{ description: 'Potencia y energía' }],
    total: 212.4,
  }),
  matchBank: () => ({ movements: [{ date: '2026-03-04', amount: -121, description: 'Recibo Material' }] }),
  setStatementMapping: () => ({ layout_key: 'banco-propio', mapping: { date: 0, description: [1], amount: 2 } }),
  updateSubaccount: () => ({ name: 'Cliente Norte', notes: 'Factura los días 5' }),
  checkout: () => ({ plan: 'pro' }),
  correctExtraction: () => ({ invoice_number: '2026-0041', total: 121 }),
  convertToFacturae: () => ({ invoice_data: invoiceData, sign: false, external_ref: 'pedido-7' }),
  downloadFacturae: () => ({ invoice_data: invoiceData, sign: false }),
  downloadZip: ({ log_id }) => ({ log_ids: [Number(log_id)] }),
  createWebhook: ({ webhook_url }) => ({ url: webhook_url, events: ['invoice.extracted', 'quota.warning'] }),
  updateWebhook: () => ({ events: ['invoice.extracted'] }),
  setAutoImport: () => ({ auto_import: true }),
  createEntry: () => ({ type: 'expense', date: '2026-03-02', concept: 'Licencias', base: 100, tax_rate: 21 }),
  updateEntry: () => ({ notes: 'Pagada con tarjeta' }),
  createRecurring: () => ({
    type: 'expense',
    concept: 'Alquiler de la oficina',
    base: 800,
    tax_rate: 21,
    irpf_rate: 19,
    frequency: 'monthly',
    start_date: '2199-01-01',
  }),
  createRecurringInvoice: () => ({
    buyer,
    concept: 'Cuota',
    line_items: [line],
    frequency: 'monthly',
    start_date: '2199-01-01',
  }),
  confirmBankMatch: () => ({ date: '2026-03-09' }),
  putBudget: () => ({ year: 2026, items: [{ account_code: '629', month: 3, amount: 150 }] }),
  upsertTaxPayment: () => ({ model: '303', year: 2026, period: 'T1', amount: 412.5, status: 'paid' }),
  createProposal: () => ({ client: { name: 'Clienta SA' }, title: 'Web nueva', line_items: [line] }),
  updateProposal: () => ({ status: 'sent', notes: 'Válida hasta fin de mes' }),
  setFiscalProfile: () => ({ legal_name: 'Ana Ruiz', nif: '12345678Z', vat_regime: 'general' }),
}
