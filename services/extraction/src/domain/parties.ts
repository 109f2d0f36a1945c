import { countryOfId } from './foreign-tax-ids.ts'
import { besideId, fillAddress, headName } from './issuer-elsewhere.ts'
import type { Cell, Sheet, Token } from './layout.ts'
import { partyLabelOf } from './party-label.ts'
import { regionAround } from './party-region.ts'
import { choose, type PartyContext, readRegion, type Side, sidesOf } from './party-sides.ts'
import { type AddressRead, cleanText, postalDigits } from './read-address.ts'

/** A value with the tokens that show it and how sure its reading is, before calibration. */
export interface Found {
  value: string
  tokens: Token[]
  score: number
}

export interface Party {
  name: Found | null
  taxId: Found | null
  /** Form of a tax id whose check character is wrong. */
  invalidTaxId: Found | null
  street: Found | null
  city: Found | null
  postalCode: Found | null
  province: string | null
  /** ISO 3166-1 alpha-3, as far as the address or the tax id tells. */
  country: string | null
}

export interface Parties {
  vendor: Party
  buyer: Party
  /** How clearly vendor and buyer were told apart; below 1 is doubtful. */
  margin: number
}

const nobody: Party = {
  name: null,
  taxId: null,
  invalidTaxId: null,
  street: null,
  city: null,
  postalCode: null,
  province: null,
  country: null,
}

export function findParties(sheet: Sheet, context: PartyContext): Parties {
  const { vendor, buyer, margin } = choose(sidesOf(sheet, context), context)
  const parties: Parties = {
    vendor: vendor === null ? { ...nobody } : partyOf(vendor),
    buyer: buyer === null ? { ...nobody } : partyOf(buyer),
    margin,
  }
  const taken = new Set([...(vendor?.regions ?? []), ...(buyer?.regions ?? [])].flatMap((region) => region.cells))
  if (parties.buyer.name === null) parties.buyer = filled(parties.buyer, labelledParty(sheet, 'buyer', taken, context))
  if (parties.buyer.name === null && parties.buyer.taxId !== null) {
    const [first = null, second = null] = unclaimedParties(sheet, parties, taken, context)
    // where neither party has a name, the issuer's block comes first
    const both = parties.vendor.name === null && parties.vendor.street === null && second !== null
    if (both) parties.vendor = filled(parties.vendor, first)
    parties.buyer = filled(parties.buyer, both ? second : first)
  }
  if (parties.vendor.name === null)
    parties.vendor = filled(parties.vendor, labelledParty(sheet, 'vendor', taken, context))
  if (vendor !== null) besideId(sheet, { parties, taken, context }, vendor)
  if (parties.vendor.name === null || parties.vendor.name.score < 2.5) headName(sheet, parties, taken, context)
  if (parties.vendor.street === null || parties.vendor.city === null) fillAddress(sheet, parties, taken, context)
  return parties
}

const filled = (party: Party, other: Party | null): Party =>
  other === null
    ? party
    : {
        ...party,
        name: party.name ?? other.name,
        street: party.street ?? other.street,
        city: party.city ?? other.city,
        postalCode: party.postalCode ?? other.postalCode,
        province: party.province ?? other.province,
        country: party.country ?? other.country,
      }

function partyOf(side: Side): Party {
  const { reads } = side
  const names = reads.flatMap((read) => (read.name === null ? [] : [read.name])).sort((a, b) => b.score - a.score)
  const name = names[0]
  const withStreet = reads.find((read) => read.address.street.length > 0)
  const withPlace = reads.find((read) => read.address.city.length > 0)
  const id: Found = {
    value: side.id.value,
    tokens: side.id.tokens,
    score: side.id.repaired ? 2 : side.id.labelled ? 4 : 3,
  }
  const where = place(withStreet?.address ?? null, withPlace?.address ?? null)
  return {
    name: name === undefined ? null : { value: name.text, tokens: name.tokens, score: name.score },
    taxId: side.id.valid ? id : null,
    invalidTaxId: side.id.valid ? null : id,
    ...where,
    country: where.country ?? (side.id.valid ? countryOfId(side.id.value) : null),
  }
}

/** Street and place as found values; nulls where they are missing. */
export function place(
  street: AddressRead | null,
  city: AddressRead | null,
): Pick<Party, 'street' | 'city' | 'postalCode' | 'province' | 'country'> {
  const streetText = street === null ? null : cleanText(street.street)
  // the full stop is the sentence's
  const cityText = city === null ? null : (cleanText(city.city)?.replace(/(?<=\p{L}{3})\.$/u, '') ?? null)
  const postal = city?.postalCode ?? street?.postalCode ?? null
  const abroad = city?.foreign ?? street?.foreign ?? null
  return {
    street: streetText === null || street === null ? null : { value: streetText, tokens: street.street, score: 3 },
    city: cityText === null || city === null ? null : { value: cityText, tokens: city.city, score: 3 },
    postalCode: postal === null ? foreignPostal(abroad) : { value: postalDigits(postal), tokens: [postal], score: 3 },
    province: city?.province ?? street?.province ?? null,
    country: abroad?.country ?? (postal === null ? null : 'ESP'),
  }
}

const foreignPostal = (abroad: AddressRead['foreign']): Found | null => {
  const value = abroad === null ? null : cleanText(abroad.postal)
  return abroad === null || value === null ? null : { value, tokens: abroad.postal, score: 3 }
}

/** A party that a label announces without a tax id. */
function labelledParty(
  sheet: Sheet,
  meaning: 'buyer' | 'vendor',
  taken: ReadonlySet<Cell>,
  context: PartyContext,
): Party | null {
  for (const cell of sheet.cells) {
    if (taken.has(cell) || context.blockedCells.has(cell.index)) continue
    const label = partyLabelOf(cell)
    if (label === null || label.meaning !== meaning) continue
    const starts = label.alone ? [right(sheet, cell), below(sheet, cell)] : [cell]
    const parties = starts.flatMap((start) => {
      if (start === null || taken.has(start)) return []
      const region = regionAround(sheet, start, context.blockedCells)
      for (const token of label.tokens) region.labelTokens.add(token)
      region.cells = region.cells.filter((other) => !taken.has(other) && other.y0 >= cell.y0 - 1)
      const read = readRegion(region, [])
      return read.name === null || read.name.score < 2 ? [] : [{ name: read.name, address: read.address }]
    })
    const best = parties.sort((a, b) => b.name.score - a.name.score)[0]
    if (best === undefined) continue
    return {
      ...nobody,
      name: { value: best.name.text, tokens: best.name.tokens, score: best.name.score - 0.5 },
      ...place(best.address, best.address),
    }
  }
  return null
}

/** Parties whose tax ids stand elsewhere: blocks in the upper half with a name and a postal code that no one else claims. */
function unclaimedParties(sheet: Sheet, parties: Parties, taken: ReadonlySet<Cell>, context: PartyContext): Party[] {
  const page = sheet.document.pages[0]
  const found: Party[] = []
  const used = new Set(taken)
  for (const cell of sheet.cells) {
    if (page === undefined || cell.page !== page.index || cell.y0 > 0.5 * page.heightPt) break
    if (used.has(cell) || context.blockedCells.has(cell.index) || !/^\(?(?:E-)?\d{5}\b/.test(cell.text)) continue
    const region = regionAround(sheet, cell, context.blockedCells)
    if (region.label === 'vendor' || region.label === 'neither' || region.cells.some((other) => used.has(other)))
      continue
    const { name, address } = readRegion(region, [])
    if (name === null || name.score < 2.5 || name.text === parties.vendor.name?.value) continue
    if (address.postalCode === null) continue
    for (const other of region.cells) used.add(other)
    found.push({ ...nobody, name: { value: name.text, tokens: name.tokens, score: 2 }, ...place(address, address) })
  }
  return found
}

const below = (sheet: Sheet, cell: Cell): Cell | null => {
  for (let index = cell.row + 1; index < Math.min(sheet.rows.length, cell.row + 5); index += 1) {
    const row = sheet.rows[index]
    if (row === undefined || row.page !== cell.page || row.y0 - cell.y1 > 3 * cell.size) return null
    const under = row.cells.find(
      (other) => other.x0 < cell.x1 && other.x1 > cell.x0 && Math.abs(other.x0 - cell.x0) < 3 * cell.size,
    )
    if (under !== undefined) return under
  }
  return null
}

const right = (sheet: Sheet, cell: Cell): Cell | null =>
  sheet.rows[cell.row]?.cells.find((other) => other.x0 >= cell.x1 && other.x0 - cell.x1 < 14 * cell.size) ?? null
