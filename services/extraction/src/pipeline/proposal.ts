import { z } from 'zod'

const text = z.string().trim().min(1).max(300).nullish()
const day = z.iso.date().nullish()
const amount = z.number().min(-1e9).max(1e9).nullish()

/** What a language model may say about an invoice; anything else is no answer. Amounts in euros, dates `YYYY-MM-DD`. */
export const proposalSchema = z.strictObject({
  vendor_name: text,
  vendor_vat: text,
  buyer_name: text,
  buyer_vat: text,
  invoice_number: text,
  invoice_date: day,
  due_date: day,
  iban: text,
  subtotal: amount,
  tax: amount,
  irpf_amount: amount,
  total: amount,
})
export type Proposal = z.infer<typeof proposalSchema>
export type ProposedField = keyof Proposal
export const proposedFields = Object.keys(proposalSchema.shape) as ProposedField[]
