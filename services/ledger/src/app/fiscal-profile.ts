import type { Database } from '@asiento/chassis/db'
import { isValidIban, normalizeIban } from '@asiento/proto/iban'
import type { Handlers } from '@asiento/proto/rpc'
import type { FiscalProfileUpdate } from '@asiento/proto/schemas/ledger/fiscal-profile'
import { isValidTaxId, normalizeTaxId } from '@asiento/proto/tax-id'
import type { Tables } from '../adapters/out/tables.ts'
import { normalizeSeries } from '../domain/invoice-series.ts'
import type { Ledger } from './ledger.ts'

type ProfileHandlers = Pick<Handlers<'ledger'>, 'getFiscalProfile' | 'setFiscalProfile'>

export interface FiscalProfile {
  legal_name: string | null
  nif: string | null
  kind: 'autonomo' | 'sociedad' | null
  vat_regime: string | null
  irpf_regime: string | null
  address: string | null
  city: string | null
  province: string | null
  postal_code: string | null
  country: string | null
  iae: string | null
  iban: string | null
  email: string | null
  invoice_series: string | null
}

const emptyProfile: FiscalProfile = {
  legal_name: null,
  nif: null,
  kind: null,
  vat_regime: null,
  irpf_regime: null,
  address: null,
  city: null,
  province: null,
  postal_code: null,
  country: null,
  iae: null,
  iban: null,
  email: null,
  invoice_series: null,
}

type Query = Database<Tables>['query']

/** Who the account is for the tax office; all null before it has said so. */
export const fiscalProfile = (ledger: Ledger): ProfileHandlers => ({
  getFiscalProfile: async (_, { actor }) => profileView(await readProfile(ledger.db.query, actor.userId)),

  setFiscalProfile: async ({ body }, { actor }) =>
    ledger.db.transaction(async (tx) => {
      const profile = { ...(await readProfile(tx, actor.userId)), ...normalized(body) }
      await tx
        .insertInto('fiscal_profiles')
        .values({ user_id: actor.userId, profile: JSON.stringify(profile) })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ profile: JSON.stringify(profile) }))
        .execute()
      return profileView(profile)
    }),
})

export async function readProfile(query: Query, userId: number): Promise<FiscalProfile> {
  const row = await query
    .selectFrom('fiscal_profiles')
    .select('profile')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return { ...emptyProfile, ...(row?.profile as Partial<FiscalProfile> | undefined) }
}

/** The account's own tax id, null while unknown. */
export const fiscalTaxId = async (query: Query, userId: number): Promise<string | null> =>
  (await readProfile(query, userId)).nif

const profileView = (profile: FiscalProfile) => ({
  ...profile,
  nif_valid: profile.nif === null ? null : isValidTaxId(profile.nif),
  iban_valid: profile.iban === null ? null : isValidIban(profile.iban),
})

/** What is given, blanks as null, ids in their bare form. */
function normalized(update: FiscalProfileUpdate): Partial<FiscalProfile> {
  const given = Object.entries(update)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, value === '' ? null : value])
  const profile = Object.fromEntries(given) as Partial<FiscalProfile>
  if (profile.nif != null) profile.nif = normalizeTaxId(profile.nif)
  if (profile.iban != null) profile.iban = normalizeIban(profile.iban)
  if (profile.country != null) profile.country = profile.country.toUpperCase()
  if (profile.invoice_series != null) profile.invoice_series = normalizeSeries(profile.invoice_series)
  return profile
}
