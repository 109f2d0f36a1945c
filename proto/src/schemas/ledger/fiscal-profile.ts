import { z } from 'zod'
import { text } from './fields.ts'

const profileText = {
  legal_name: text(250).nullable(),
  nif: text(40).nullable(),
  vat_regime: text(60).nullable(),
  irpf_regime: text(60).nullable(),
  address: text(250).nullable(),
  city: text(100).nullable(),
  province: text(100).nullable(),
  postal_code: text(12).nullable(),
  /** ISO 3166-1 alpha-3. */
  country: text(3).nullable(),
  iae: text(20).nullable(),
  iban: text(50).nullable(),
  email: text(250).nullable(),
  invoice_series: text(14).nullable(),
}

export const fiscalProfileUpdate = z
  .object({ ...profileText, kind: z.enum(['autonomo', 'sociedad']).nullable() })
  .partial()

export type FiscalProfileUpdate = z.output<typeof fiscalProfileUpdate>

export const fiscalProfileView = z.object({
  ...profileText,
  kind: z.enum(['autonomo', 'sociedad']).nullable(),
  /** False where the check character of the tax id is wrong; null without one. */
  nif_valid: z.boolean().nullable(),
  iban_valid: z.boolean().nullable(),
})
