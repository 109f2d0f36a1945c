import { z } from 'zod'
import { operation } from '../operation.ts'
import { idSchema } from '../schemas/common.ts'
import {
  accountingDetail,
  categorizeRequest,
  duplicateAlertList,
  duplicateAlertQuery,
  vendorTrust,
  vendorVatParams,
} from '../schemas/risk.ts'

const duplicateVerdict = (status: 'confirmed' | 'dismissed') =>
  ({
    kind: 'json',
    status: 200,
    schema: z.object({ log_id: z.number().int(), status: z.literal(status) }),
  }) as const

const logIdParams = z.object({ log_id: idSchema })

/** Rows of the operation table: risk. */
export const riskOperations = {
  listVendors: operation({
    id: 'listVendors',
    service: 'risk',
    method: 'GET',
    path: '/vendors',
    tag: 'Fraud',
    summary: 'Vendors seen and the bank account trusted for each',
    description: 'Newest first by last_seen. A subaccount key sees the vendors of its subaccount.',
    auth: 'key_or_jwt',
    gate: 'fraud_checks',
    response: { kind: 'json', status: 200, schema: z.object({ vendors: z.array(vendorTrust) }) },
  }),
  setVendorIban: operation({
    id: 'setVendorIban',
    service: 'risk',
    method: 'PUT',
    path: '/vendors/{vendor_vat}/iban',
    tag: 'Fraud',
    summary: 'Trust another bank account of a vendor',
    description:
      'The only way to replace a trusted IBAN. Blanks and lower case are accepted; an IBAN whose check digits are wrong is INVALID_INPUT, as is a vendor_vat that is no tax id.',
    auth: 'key_or_jwt',
    gate: 'fraud_checks',
    params: vendorVatParams,
    body: { kind: 'json', schema: z.object({ iban: z.string().min(1).max(64) }) },
    response: { kind: 'json', status: 200, schema: vendorTrust },
    errors: ['INVALID_INPUT'],
    examples: { request: { iban: 'ES9121000418450200051332' } },
  }),
  categorize: operation({
    id: 'categorize',
    service: 'risk',
    method: 'POST',
    path: '/categorize',
    tag: 'Accounting',
    summary: 'The PGC account of a purchase',
    description: 'Every field is optional; costs nothing and stores nothing.',
    auth: 'key_or_jwt',
    body: { kind: 'json', schema: categorizeRequest },
    response: { kind: 'json', status: 200, schema: accountingDetail },
  }),
  teachCategory: operation({
    id: 'teachCategory',
    service: 'risk',
    method: 'PUT',
    path: '/categorize/{vendor_vat}',
    tag: 'Accounting',
    summary: 'Teach the account of a vendor',
    description:
      'From now on invoices of this vendor get the account (method aprendida). An account that the chart does not know is INVALID_INPUT.',
    auth: 'key_or_jwt',
    params: vendorVatParams,
    body: { kind: 'json', schema: z.object({ account_code: z.string().min(1).max(20) }) },
    response: { kind: 'json', status: 200, schema: accountingDetail },
    errors: ['INVALID_INPUT'],
    examples: { request: { account_code: '629' } },
  }),
  listDuplicates: operation({
    id: 'listDuplicates',
    service: 'risk',
    method: 'GET',
    path: '/fraud/duplicates',
    tag: 'Fraud',
    summary: 'Duplicate alerts, newest first',
    description:
      'A key sees the alerts of invoices read with itself, a subaccount key those of its subaccount. In GraphQL the field is alerts.',
    auth: 'key_or_jwt',
    gate: 'fraud_checks',
    query: duplicateAlertQuery,
    response: { kind: 'json', status: 200, schema: duplicateAlertList },
  }),
  confirmDuplicate: operation({
    id: 'confirmDuplicate',
    service: 'risk',
    method: 'POST',
    path: '/fraud/duplicates/{log_id}/confirm',
    tag: 'Fraud',
    summary: 'Confirm that an invoice is a duplicate',
    auth: 'key_or_jwt',
    gate: 'fraud_checks',
    params: logIdParams,
    response: duplicateVerdict('confirmed'),
    errors: ['INVOICE_NOT_FOUND', 'INVALID_STATE'],
  }),
  dismissDuplicate: operation({
    id: 'dismissDuplicate',
    service: 'risk',
    method: 'POST',
    path: '/fraud/duplicates/{log_id}/dismiss',
    tag: 'Fraud',
    summary: 'Dismiss a duplicate alert',
    description: 'The pair is not reported again; a third copy is a new pair.',
    auth: 'key_or_jwt',
    gate: 'fraud_checks',
    params: logIdParams,
    response: duplicateVerdict('dismissed'),
    errors: ['INVOICE_NOT_FOUND', 'INVALID_STATE'],
  }),
}
