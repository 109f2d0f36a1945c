import { z } from 'zod'
import { pageQuery, timestampSchema } from '../common.ts'
import { amountOrZero, bookDate, percent, positiveAmount, requiredText, text } from './fields.ts'
import { pricedLine } from './recurring.ts'

export const proposalStatus = z.enum(['draft', 'sent', 'accepted', 'rejected', 'expired', 'converted'])

const proposalClient = z.object({
  name: requiredText(250),
  vat: text(40).nullish(),
  email: text(250).nullish(),
  address: text(500).nullish(),
})

const proposalFields = {
  client: proposalClient,
  title: requiredText(300),
  line_items: z.array(pricedLine).min(1).max(500),
  irpf_rate: percent.nullish(),
  valid_until: bookDate.nullish(),
  notes: text(5000).nullish(),
}

/** The sums follow from the lines; given ones must agree. */
const proposalSums = { base: positiveAmount.optional(), tax: amountOrZero.optional(), total: positiveAmount.optional() }

export const proposalCreate = z.object({
  ...proposalFields,
  ...proposalSums,
  status: z.enum(['draft', 'sent']).default('draft'),
})

export type ProposalCreate = z.output<typeof proposalCreate>

export const proposalPatch = z.object({ ...proposalFields, ...proposalSums, status: proposalStatus }).partial()

export type ProposalPatch = z.output<typeof proposalPatch>

export const proposalView = z.object({
  id: z.int(),
  number: z.string(),
  client: z.object({
    name: z.string(),
    vat: z.string().nullable(),
    email: z.string().nullable(),
    address: z.string().nullable(),
  }),
  title: z.string(),
  line_items: z.array(pricedLine.extend({ tax_rate: z.number(), total: z.number() })),
  base: z.number(),
  tax: z.number(),
  irpf_rate: z.number().nullable(),
  irpf_amount: z.number(),
  total: z.number(),
  valid_until: z.string().nullable(),
  status: proposalStatus,
  notes: z.string().nullable(),
  entry_id: z.int().nullable(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
})

export const proposalsQuery = z.object({
  ...pageQuery,
  status: z.union([z.literal(''), proposalStatus]).default(''),
})
