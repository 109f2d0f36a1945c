import type { InvoiceDataInput, PartyInfoInput } from '@asiento/proto/schemas/invoice-input'
import { checkTaxId, normalizeTaxId } from '@asiento/proto/tax-id'
import { countryOf, euCountries } from '../../model/codes.ts'
import type { Address, LegalName, Party, PersonName } from '../../model/invoice.ts'
import { isPostCode, provinceOf, townOf } from '../../model/places.ts'
import { clip, clipOptional, maybe, type Notes, present, refuse, refuseField } from './notes.ts'

export type Side = 'vendor' | 'buyer'

/** A party as callers describe it, whichever way they do. */
export interface PartyInput {
  name?: string | null | undefined
  vat?: string | null | undefined
  first_name?: string | null | undefined
  first_surname?: string | null | undefined
  second_surname?: string | null | undefined
  trade_name?: string | null | undefined
  address?: string | null | undefined
  city?: string | null | undefined
  province?: string | null | undefined
  postal_code?: string | null | undefined
  country?: string | null | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
}

/** The fields `vendor_…` or `buyer_…` of an invoice, with what `seller_info` or `buyer_info` says in their place. */
export function partyInputOf(input: InvoiceDataInput, side: Side, info: PartyInfoInput | null | undefined): PartyInput {
  const of = (key: Exclude<keyof PartyInput, never>) =>
    present((input as Record<string, unknown>)[`${side}_${key}`] as string | null | undefined)
  return {
    name: present(info?.name) ?? of('name'),
    vat: present(info?.vat) ?? of('vat'),
    first_name: present(info?.first_name) ?? of('first_name'),
    first_surname: present(info?.first_surname) ?? of('first_surname'),
    second_surname: present(info?.second_surname) ?? of('second_surname'),
    trade_name: of('trade_name'),
    address: present(info?.address) ?? of('address'),
    city: present(info?.city) ?? of('city'),
    province: present(info?.province) ?? of('province'),
    postal_code: present(info?.zip) ?? of('postal_code'),
    country: present(info?.country) ?? of('country'),
    email: present(info?.email) ?? of('email'),
    phone: of('phone'),
  }
}

/** True when nothing names the party. */
export const isNameless = (input: PartyInput): boolean =>
  present(input.name) === undefined &&
  (present(input.first_name) === undefined || present(input.first_surname) === undefined)

/**
 * Makes a party that the schema takes. The tax id decides between person and company; what is missing of the address
 * is derived from the postal code or written as 'No consta' with the warning `address_incomplete`.
 */
export function partyFrom(input: PartyInput, label: string, notes: Notes): Party {
  const country = partyCountry(input, label)
  const taxId = country === 'ESP' ? normalizeTaxId(input.vat ?? '') : foreignTaxId(input.vat ?? '')
  if (taxId.length < 3 || taxId.length > 30) refuse(`${label}_vat is no tax id: ${input.vat ?? ''}`)
  const person = isPerson(input, taxId, country)
  const email = clipOptional(input.email, 60, `${label}_email`, notes)
  const telephone = clipOptional(input.phone, 15, `${label}_phone`, notes)
  return {
    personType: person ? 'F' : 'J',
    residence: country === 'ESP' ? 'R' : euCountries.has(country) ? 'U' : 'E',
    taxId,
    centres: [],
    name: person ? personName(input, label, notes) : legalName(input, label, notes),
    address: addressFrom(input, country, label, notes),
    ...maybe('contact', email === undefined && telephone === undefined ? undefined : contact(telephone, email)),
  }
}

const contact = (telephone: string | undefined, email: string | undefined) => ({
  ...maybe('telephone', telephone),
  ...maybe('email', email),
})

/** The country given, else the one that an intra-Community prefix of the tax id names, else Spain. */
function partyCountry(input: PartyInput, label: string): string {
  const given = present(input.country)
  if (given !== undefined) {
    return countryOf(given) ?? refuse(`${label}_country is no country that Facturae knows: ${given}`)
  }
  const prefix = /^([A-Za-z]{2})[\s-]?[A-Za-z0-9]{2,}/.exec(input.vat?.trim() ?? '')?.[1]
  const named = prefix === undefined ? null : countryOf(prefix)
  return named !== null && euCountries.has(named) ? named : 'ESP'
}

const foreignTaxId = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s./-]/g, '')

function isPerson(input: PartyInput, taxId: string, country: string): boolean {
  if (country === 'ESP') {
    const { kind } = checkTaxId(taxId)
    if (kind !== null) return kind !== 'cif'
  }
  return present(input.first_surname) !== undefined
}

const legalName = (input: PartyInput, label: string, notes: Notes): LegalName => ({
  corporateName: clip(
    input.name ?? [input.first_name, input.first_surname, input.second_surname].filter(Boolean).join(' '),
    80,
    `${label}_name`,
    notes,
  ),
  ...maybe('tradeName', clipOptional(input.trade_name, 40, `${label}_trade_name`, notes)),
})

/** 'Apellidos, Nombre', else the first word is the name and the rest the surnames. */
function personName(input: PartyInput, label: string, notes: Notes): PersonName {
  const [name, surname] = splitName(input)
  if (surname === undefined) {
    notes.warn(
      'name_incomplete',
      `${label}_name has no surname, which Facturae asks of a natural person.`,
      `${label}_name`,
    )
  }
  return {
    name: clip(name, 40, `${label}_first_name`, notes),
    firstSurname: clip(surname ?? 'No consta', 40, `${label}_first_surname`, notes),
    ...maybe('secondSurname', clipOptional(input.second_surname, 40, `${label}_second_surname`, notes)),
  }
}

function splitName(input: PartyInput): [string, string | undefined] {
  const first = present(input.first_name)
  const surname = present(input.first_surname)
  if (first !== undefined && surname !== undefined) return [first, surname]
  const whole = present(input.name) ?? ''
  const comma = /^([^,]+),\s*(\S.*)$/s.exec(whole)
  if (comma?.[1] !== undefined && comma[2] !== undefined) return [comma[2].trim(), comma[1].trim()]
  const words = /^(\S+)\s+(\S.*)$/s.exec(whole)
  return [words?.[1] ?? whole, surname ?? words?.[2]]
}

const unknown = 'No consta'

function addressFrom(input: PartyInput, country: string, label: string, notes: Notes): Address {
  const missing: string[] = []
  const or = (value: string | undefined, field: string): string => {
    if (value !== undefined) return value
    missing.push(field)
    return unknown
  }
  const given = present(input.postal_code)?.replace(/\s/g, '')
  const spanish = country === 'ESP'
  if (spanish && label === 'vendor' && given !== undefined && !/^\d{5}$/.test(given)) {
    refuseField(notes, ['vendor_postal_code'], 'Use five digits')
  }
  const postCode = spanish && given !== undefined && !isPostCode(given) ? undefined : given
  if (postCode === undefined && spanish) missing.push('postal_code')
  const address = {
    street: clip(or(present(input.address), 'address'), 80, `${label}_address`, notes),
    postCode: spanish ? (postCode ?? '00000') : (present(input.postal_code) ?? ''),
    town: clip(or(present(input.city) ?? derived(townOf, postCode, spanish), 'city'), 50, `${label}_city`, notes),
    province: clip(
      or(
        present(input.province) ??
          derived(provinceOf, postCode, spanish) ??
          (spanish ? undefined : present(input.city)),
        'province',
      ),
      20,
      `${label}_province`,
      notes,
    ),
    country,
  }
  if (missing.length > 0) {
    notes.warn(
      'address_incomplete',
      `The address of the ${label} lacks ${missing.join(', ')}; Facturae demands them, so they say '${unknown}'.`,
      `${label}_${missing[0] ?? 'address'}`,
    )
  }
  return address
}

const derived = (
  rule: (postCode: string) => string | null,
  postCode: string | undefined,
  spanish: boolean,
): string | undefined => (spanish && postCode !== undefined ? (rule(postCode) ?? undefined) : undefined)
