import { z } from 'zod'
import { lineSchema } from './auth.ts'
import { timestampSchema } from './common.ts'

/** Plans that a key can have: `free` makes a sandbox key, `pro` draws on the account's quota. */
export const keyPlanNames = ['free', 'pro'] as const
export type KeyPlanName = (typeof keyPlanNames)[number]

export const createKeySchema = z.object({
  name: lineSchema(100),
  /** Any text: an unknown plan is INVALID_PLAN and never 422. */
  plan: z
    .string()
    .default('free')
    .meta({ examples: ['free', 'pro'] }),
})

/** The only answer that ever shows the whole key. */
export const createdKeySchema = z.object({
  id: z.number().int(),
  name: z.string(),
  plan: z.enum(keyPlanNames),
  raw_key: z.string(),
  prefix: z.string(),
  created_at: timestampSchema,
})

export const keySchema = z.object({
  id: z.number().int(),
  name: z.string(),
  plan: z.enum(keyPlanNames),
  /** The first 12 characters. */
  prefix: z.string(),
  sandbox: z.boolean(),
  subaccount_id: z.number().int().nullable(),
  created_at: timestampSchema,
  last_used_at: timestampSchema.nullable(),
  revoked_at: timestampSchema.nullable(),
})

export const keyListSchema = z.object({ keys: z.array(keySchema) })

export const myKeySchema = keySchema.extend({
  quota: z.number().int(),
  used: z.number().int(),
  remaining: z.number().int(),
  quota_reset_at: timestampSchema,
})

export const revokeKeySchema = z.object({ key: z.string().min(1).max(200) }).meta({ id: 'RevokeKeyRequest' })
export const revokeKeyByIdSchema = z.object({ id: z.number().int().positive() })
export const revokedKeySchema = z.object({ id: z.number().int(), revoked: z.literal(true) })
