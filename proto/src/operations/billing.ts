import { z } from 'zod'
import { operation } from '../operation.ts'

/** Rows of the operation table: billing. */
export const billingOperations = {
  checkout: operation({
    id: 'checkout',
    service: 'identity',
    method: 'POST',
    path: '/billing/checkout',
    tag: 'Billing',
    summary: 'Starts a checkout for the plan starter or pro',
    auth: 'jwt',
    body: { kind: 'json', schema: z.object({ plan: z.string() }) },
    response: { kind: 'json', status: 200, schema: z.object({ checkout_url: z.string(), session_id: z.string() }) },
    errors: ['INVALID_PLAN', 'PAYMENT_NOT_CONFIGURED', 'PAYMENT_ERROR'],
  }),
}
