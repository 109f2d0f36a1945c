import { z } from 'zod'
import { ledgerPlanNames, planNames } from '../plans.ts'
import { messageSchema, quotaSchema, timestampSchema } from './common.ts'

const nul = '\\u0000'
/** Text that PostgreSQL can keep: anything but the character NUL. */
const storable = new RegExp(`^[^${nul}]*$`)

/** One line of text that a person typed; blanks around it do not count. */
export const lineSchema = (lengthMax: number) =>
  z.string().trim().min(1).max(lengthMax).regex(storable, 'The character NUL is not allowed')

/** Free text, possibly empty. */
export const noteSchema = (lengthMax: number) =>
  z.string().max(lengthMax).regex(storable, 'The character NUL is not allowed')

/** A search term in a query; empty means no filter. */
export const searchSchema = noteSchema(200).default('')

/** Any text: the handler judges the address, so that a malformed one is INVALID_EMAIL and never 422. */
const addressSchema = z.string().meta({ examples: ['ana@example.com'] })

const newPasswordSchema = z.string().min(8).max(128).meta({ format: 'password' })

export const registerSchema = z
  .object({
    email: addressSchema,
    password: newPasswordSchema,
    full_name: lineSchema(200),
    company: noteSchema(200).nullish(),
    locale: z.enum(['es', 'en']).default('es'),
  })
  .meta({ id: 'RegisterRequest' })

export const registeredSchema = messageSchema.extend({ email: z.string() })

export const verifiedSchema = messageSchema.extend({ email: z.string(), verified: z.literal(true) })

export const loginSchema = z.object({
  email: addressSchema,
  password: z.string().min(8).max(1024).meta({ format: 'password' }),
})

export const sessionSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  /** Seconds. */
  expires_in: z.number().int(),
  user: z.object({ id: z.number().int(), email: z.string(), full_name: z.string(), plan: z.enum(planNames) }),
})

export const googleLoginSchema = z.object({ id_token: z.string().min(1).max(8192) })

export const forgotPasswordSchema = z.object({ email: addressSchema }).meta({ id: 'ResetRequestBody' })

export const resetPasswordSchema = z
  .object({ token: z.string(), new_password: newPasswordSchema })
  .meta({ id: 'ResetPasswordBody' })

export const meSchema = z.object({
  id: z.number().int(),
  email: z.string(),
  full_name: z.string(),
  company: z.string().nullable(),
  plan: z.enum(planNames),
  ledger_plan: z.enum(ledgerPlanNames).nullable(),
  email_verified: z.boolean(),
  created_at: timestampSchema,
  quota: quotaSchema,
})
