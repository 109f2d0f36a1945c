import type { Cell, Sheet } from './layout.ts'
import { type Parties, type Party, place } from './parties.ts'
import { bodySize } from './party-evidence.ts'
import { partyLabelOf } from './party-label.ts'
import { bestName, type NameFound } from './party-name.ts'
import { regionAround } from './party-region.ts'
import { type PartyContext, readRegion, type Side } from './party-sides.ts'
import { readAddress } from './read-address.ts'
import { bare } from './text.ts'

/** Name and address of the issuer that do not stand at its tax id. */

/** Columns of a head or a foot: name and address in one, tax id and contact data in the next. */
export function besideId(
  sheet: Sheet,
  { parties, taken, context }: { parties: Parties; taken: ReadonlySet<Cell>; context: PartyContext },
  side: Side,
): void {
  const { vendor } = parties
  if (vendor.street !== null && vendor.city !== null && vendor.name !== null) return
  for (const region of side.regions) {
    const top = region.cells[0]
    const bottom = region.cells.at(-1)
    if (top === undefined || bottom === undefined || region.label === 'buyer') continue
    const band = sheet.cells.filter(
      (cell) =>
        cell.page === top.page &&
        cell.y1 > top.y0 - 0.5 * top.size &&
        cell.y0 < bottom.y1 + 0.5 * top.size &&
        !taken.has(cell) &&
        !context.blockedCells.has(cell.index),
    )
    for (const column of band.filter((cell) => /^\(?\d{5}\b|,? \d{5} \p{Lu}/u.test(cell.text))) {
      const beside = regionAround(sheet, column, context.blockedCells)
      if (beside.label === 'buyer' || beside.label === 'neither' || beside.cells.some((cell) => taken.has(cell)))
        continue
      const read = readRegion(beside, [])
      if (read.address.postalCode === null) continue
      const found = place(read.address, read.address)
      if (read.name !== null && (vendor.name === null || vendor.name.score < read.name.score - 1))
        vendor.name = { value: read.name.text, tokens: read.name.tokens, score: Math.min(3, read.name.score) }
      if (vendor.street === null && vendor.city === null) Object.assign(vendor, found)
      fillFromBand(vendor, band)
      return
    }
  }
}

/** What a foot of several columns has left of the tax id: the name over the street, the place in a column of its own. */
function fillFromBand(vendor: Party, band: readonly Cell[]): void {
  if (vendor.name === null) {
    const name = band.map((cell) => bestName([cell.tokens])).find((found) => found?.legal === true)
    if (name !== null && name !== undefined) vendor.name = { value: name.text, tokens: name.tokens, score: 3 }
  }
  if (vendor.street === null) {
    const reads = band.map((cell) => readAddress([cell.tokens], new Set()))
    const read = reads.find((found) => found.street.length > 0)
    if (read !== undefined) vendor.street = place(read, null).street
  }
}

/** The issuer's name in large letters at the head of the first page. */
export function headName(sheet: Sheet, parties: Parties, taken: ReadonlySet<Cell>, context: PartyContext): void {
  const page = sheet.document.pages[0]
  if (page === undefined) return
  const buyerName = parties.buyer.name?.value
  const candidates = sheet.cells
    .filter(
      (cell) =>
        cell.page === page.index &&
        cell.y1 < 0.4 * page.heightPt &&
        !context.blockedCells.has(cell.index) &&
        (cell.tokens[0]?.turned ?? 0) === 0,
    )
    .map((cell) => ({ cell, name: headedName(sheet, cell, taken) }))
    .filter(
      (candidate) =>
        candidate.name !== null &&
        candidate.name.text !== buyerName &&
        !taken.has(candidate.cell) &&
        partyLabelOf(candidate.cell) === null,
    )
    .map((candidate) => ({
      ...candidate,
      weight:
        (candidate.name?.score ?? 0) +
        (candidate.cell.size / bodySize(sheet)) * 2 -
        (candidate.cell.y0 / page.heightPt) * 6,
    }))
    .sort((a, b) => b.weight - a.weight)
  const best = candidates[0]?.name
  if (best === null || best === undefined) return
  if (parties.vendor.name !== null && parties.vendor.name.score >= best.score) return
  parties.vendor.name = { value: best.text, tokens: best.tokens, score: Math.min(best.score, best.legal ? 2.5 : 1.5) }
}

/** The name in a cell, with the row above at the same margin where a long one breaks there. */
function headedName(sheet: Sheet, cell: Cell, taken: ReadonlySet<Cell>): NameFound | null {
  const above = sheet.rows[cell.row - 1]?.cells.find((other) => Math.abs(other.x0 - cell.x0) < 1 && !taken.has(other))
  const near = above !== undefined && above.page === cell.page && cell.y0 - above.y1 <= cell.size
  const whole = near ? bestName([above.tokens, cell.tokens]) : null
  const last = whole?.tokens.at(-1)
  return last !== undefined && cell.tokens.includes(last) ? whole : bestName([cell.tokens])
}

/** The issuer's address elsewhere: at its name in the head or in the foot of the page. */
export function fillAddress(sheet: Sheet, parties: Parties, taken: ReadonlySet<Cell>, context: PartyContext): void {
  const name = parties.vendor.name
  const buyerTokens = new Set(
    [parties.buyer.street, parties.buyer.city, parties.buyer.name].flatMap((found) => found?.tokens ?? []),
  )
  const named = sheet.cells.filter((cell) => {
    if (context.blockedCells.has(cell.index) || cell.tokens.some((token) => buyerTokens.has(token))) return false
    if (name === null) return false
    // a heading may break the name: `APARTAMENTOS DE LEVANTE` over `S.L.P.`
    const printed = letters(cell.text)
    const begins =
      printed.length >= 8 && printed.length > 0.4 * name.value.length && letters(name.value).startsWith(printed)
    return begins || cell.tokens.some((token) => name.tokens.includes(token)) || cell.text.includes(name.value)
  })
  // its address may stand right of its name, in the head
  const beside = named.flatMap(
    (cell) => sheet.rows[cell.row]?.cells.filter((other) => other.x0 > cell.x1 && !taken.has(other)) ?? [],
  )
  for (const start of [...named, ...beside.filter((cell) => !context.blockedCells.has(cell.index))]) {
    if (parties.vendor.street !== null && parties.vendor.city !== null) return
    const region = regionAround(sheet, start, context.blockedCells)
    if (region.label === 'buyer' || (!named.includes(start) && region.cells.some((cell) => taken.has(cell)))) continue
    const read = readAddress(
      region.cells.map((cell) => cell.tokens),
      new Set(region.labelTokens),
    )
    const found = place(read, read)
    parties.vendor.street ??= found.street
    parties.vendor.city ??= found.city
    parties.vendor.postalCode ??= found.postalCode
    parties.vendor.province ??= found.province
    parties.vendor.country ??= found.country
  }
}

const letters = (text: string): string => bare(text).replace(/[^a-z]/g, '')
