import { checkTaxId } from '@asiento/proto/tax-id'
import { addressLabels } from './address-words.ts'
import { joinBoldRows } from './broken-names.ts'
import { findTaxIds, isIdLabel, type TaxIdFound } from './find-tax-ids.ts'
import { boxOf, type Cell, overlapY, type Sheet, type Token } from './layout.ts'
import { isMentioned } from './mentioned-ids.ts'
import { nameInSentence } from './name-in-sentence.ts'
import { partyEvidence } from './party-evidence.ts'
import { partyLabelOf } from './party-label.ts'
import type { NameFound } from './party-name.ts'
import { bestName, nameOf } from './party-name.ts'
import { isAddressed, type PartyRegion, regionAround, widened } from './party-region.ts'
import { isPerson, personAmong } from './person-names.ts'
import { type AddressRead, readAddress } from './read-address.ts'

export interface PartyContext {
  /** The account's own tax id: the buyer as a rule, the vendor of its own invoices. */
  accountTaxId: string | null
  /** Indexes of the cells of the table of lines, where no party stands. */
  blockedCells: ReadonlySet<number>
  /** Income tax is withheld from the issuer. */
  withheld: boolean
}

/** Everything known about one tax id. */
export interface Side {
  id: TaxIdFound
  occurrences: TaxIdFound[]
  regions: PartyRegion[]
  reads: RegionRead[]
  /** Above 0 speaks for the buyer, below for the vendor. */
  lean: number
  labelled: boolean
  /** Sentences mention it in passing, and nothing else. */
  mentioned: boolean
}

export interface RegionRead {
  name: NameFound | null
  address: AddressRead
  /** A sentence puts what is due to this party: `presenta a NAME, con N.I.F. …`. */
  addressed: boolean
}

/** The tax ids of the sheet that may be those of the parties, each with all that speaks for vendor or buyer. */
export function sidesOf(sheet: Sheet, context: PartyContext): Side[] {
  const byValue = new Map<string, Side>()
  for (const id of findTaxIds(sheet)) {
    if (!id.valid && !id.labelled) continue
    if (context.blockedCells.has(id.cell.index) && !id.labelled) continue
    const side = byValue.get(id.value) ?? {
      id,
      occurrences: [],
      regions: [],
      reads: [],
      lean: 0,
      labelled: false,
      mentioned: true,
    }
    side.mentioned &&= isMentioned(sheet, id)
    side.occurrences.push(id)
    side.regions.push(regionOf(sheet, id, context))
    byValue.set(id.value, side)
  }
  const sides = [...byValue.values()]
  for (const side of sides) {
    for (const region of side.regions) {
      region.cells = withoutOthers(region.cells, side, sides)
      // a label in one row with another's id alone is about that one
      const row = region.labelCell?.row
      const inRow = sides.filter((other) => other.occurrences.some((id) => id.cell.row === row))
      if (inRow.length > 0 && !inRow.includes(side)) region.label = null
    }
  }
  for (const side of sides) side.reads = side.regions.map((region) => readRegion(region, side.occurrences))
  const weigh = partyEvidence(sheet, sides, context.withheld)
  for (const side of sides) weigh(side)
  return sides.filter(
    (side) => side.regions.every((region) => region.label !== 'neither') || side.labelled || sides.length < 3,
  )
}

/**
 * Two parties in one column without a wide gap between them: the cells of one end where the gap to the other's tax id
 * is widest, at the name of a firm before all else.
 */
function withoutOthers(cells: readonly Cell[], side: Side, sides: readonly Side[]): Cell[] {
  const indexOf = (other: Side) =>
    cells.findIndex((cell) => other.occurrences.some((id) => id.cell.index === cell.index))
  const own = indexOf(side)
  if (own < 0) return [...cells]
  let from = 0
  let to = cells.length
  for (const other of sides) {
    const at = other === side || !other.id.valid ? -1 : indexOf(other)
    if (at < 0 || at === own) continue
    const [first, last] = at < own ? [at, own] : [own, at]
    const cut = boundary(cells, first, last)
    if (at < own) from = Math.max(from, cut)
    else to = Math.min(to, cut)
  }
  return cells.slice(from, to)
}

function boundary(cells: readonly Cell[], first: number, last: number): number {
  let cut = first + 1
  let widest = Number.NEGATIVE_INFINITY
  for (let index = first + 1; index <= last; index += 1) {
    const cell = cells[index]
    const above = cells[index - 1]
    if (cell === undefined || above === undefined) continue
    const named = index < last && bestName([cell.tokens])?.legal === true ? 3 * cell.size : 0
    const gap = cell.y0 - above.y1 + named
    if (gap <= widest + 0.3 * cell.size) continue
    widest = gap
    cut = index
  }
  return cut
}

/** The region of a tax id; of one that stands apart from its label (`CIF:   B123…`) also that of the label. */
function regionOf(sheet: Sheet, id: TaxIdFound, context: PartyContext): PartyRegion {
  const own = () => widened(sheet, regionAround(sheet, id.cell, context.blockedCells), context.blockedCells)
  const left = id.from > 1 ? undefined : sheet.rows[id.cell.row]?.cells.filter((cell) => cell.x1 <= id.cell.x0).at(-1)
  const near = left !== undefined && id.cell.x0 - left.x1 <= 14 * id.cell.size
  if (!near || !/(?::|(?:nif|cif|vat|dni))$/i.test(left.text.replace(/\./g, ''))) {
    const region = own()
    return region.label === null ? (rowRegion(sheet, id) ?? region) : region
  }
  const whole: Cell = {
    ...left,
    tokens: [...left.tokens, ...id.cell.tokens],
    text: `${left.text} ${id.cell.text}`,
    x1: id.cell.x1,
  }
  const regions = [whole, id.cell].map((start) =>
    widened(sheet, regionAround(sheet, start, context.blockedCells), context.blockedCells),
  )
  const worth = (region: PartyRegion) => (region.label === null ? 0 : 10) + (isAddressed(region) ? 5 : 0)
  return regions.sort((a, b) => worth(b) - worth(a) || b.cells.length - a.cells.length)[0] ?? own()
}

/** A table with a party in each row, its label at the left: `Contratista | Berzal, S.L. | NIF B12…`. */
function rowRegion(sheet: Sheet, id: TaxIdFound): PartyRegion | null {
  const [first, ...rest] = (sheet.rows[id.cell.row]?.cells ?? []).filter((cell) => cell.x0 <= id.cell.x0)
  const label = first === undefined || rest.length < 2 ? null : partyLabelOf(first)
  if (first === undefined || label?.alone !== true) return null
  const { meaning, relative, tokens } = label
  const cells = [...rest, ...addressRows(sheet, first)]
  return { cells, label: meaning, relative, labelCell: first, labelTokens: new Set(tokens) }
}

/** `Domicilio | C/ Forja, 9` in the rows below a party's. */
function addressRows(sheet: Sheet, label: Cell): Cell[] {
  const found: Cell[] = []
  for (const row of sheet.rows.slice(label.row + 1, label.row + 4)) {
    const [first, ...values] = row.cells
    if (first === undefined || Math.abs(first.x0 - label.x0) > 1) break
    if (!first.tokens.every((token) => addressLabels.has(token.bare) || /^(?:|y|de)$/.test(token.bare))) break
    found.push(...values)
  }
  return found
}

/** Name and address of a region, its labels and tax ids left out. */
export function readRegion(region: PartyRegion, ids: readonly TaxIdFound[]): RegionRead {
  const used = new Set<Token>(region.labelTokens)
  for (const id of ids) {
    for (const token of id.tokens) used.add(token)
    // the label before the id
    for (let back = id.from - 1; back >= Math.max(0, id.from - 3); back -= 1) {
      const token = id.cell.tokens[back]
      if (token === undefined || !(isIdLabel(token.bare) || token.bare === '')) break
      used.add(token)
    }
  }
  const rows = region.cells.map((cell) => cell.tokens)
  const address = readAddress(rows, used)
  const [told] = ids.flatMap((id) => nameInSentence(region.cells, id) ?? [])
  const name =
    told === undefined
      ? nameOfRegion(region, ids, address)
      : { text: told.text, tokens: told.tokens, score: 5, legal: false }
  return { name, address, addressed: /^(?:a|para|to|al|a la)$/.test(told?.before ?? '') }
}

function nameOfRegion(region: PartyRegion, ids: readonly TaxIdFound[], { rest }: AddressRead): NameFound | null {
  const [bracketed] = ids.flatMap((id) => nameBeforeBracket(id) ?? [])
  if (bracketed !== undefined) return bracketed
  const best = bestName(joinBoldRows(region.cells, rest))
  const ofPerson = ids.some((id) => /^ni[fe]$/.test(checkTaxId(id.value).kind ?? ''))
  if (!ofPerson || best === null || best.legal || isPerson(best.tokens)) return best
  return personAmong(rest) ?? best
}

/** `Rosa Vidal (40111222F)`: the name of the one whose id the brackets hold. */
function nameBeforeBracket(id: TaxIdFound): NameFound | null {
  const opens = id.cell.tokens.findLastIndex((token, at) => at <= id.from && /^\(/.test(token.text))
  if (opens < 1 || id.from - opens > 2 || opens > 9) return null
  const name = nameOf(id.cell.tokens.slice(0, opens), 0)
  return name !== null && name.score >= 3 ? name : null
}

/** Blocks side by side are read from left to right, however far down each has its tax id. */
function inReadingOrder(sides: readonly Side[]): Side[] {
  const ordered = [...sides]
  for (let last = ordered.length - 1; last > 0; last -= 1) {
    for (let at = 0; at < last; at += 1) {
      const [a, b] = [ordered[at], ordered[at + 1]]
      if (a !== undefined && b !== undefined && isRightOf(a, b)) ordered.splice(at, 2, b, a)
    }
  }
  return ordered
}

function isRightOf(a: Side, b: Side): boolean {
  const [first, second] = [a.regions[0]?.cells ?? [], b.regions[0]?.cells ?? []]
  if (first.length === 0 || second.length === 0 || first[0]?.page !== second[0]?.page) return false
  const [one, two] = [boxOf(first), boxOf(second)]
  return one.x0 >= two.x1 && overlapY(one, two) > 0.5 * Math.min(one.y1 - one.y0, two.y1 - two.y0)
}

/** One of two ids that nothing but their order tells apart has this margin. */
const orderWeight = 1
/** What the account's own tax id outweighs beside another one: their order, and hardly more. */
const ownWeight = 1.5
/** How much it speaks for the buyer where it stands alone. */
const ownAloneWeight = 4

/**
 * Which tax id is whose: labels first, then registry lines, contact data and the account's own id, then the order of
 * reading. The margin says how far vendor and buyer are apart.
 */
export function choose(
  sides: readonly Side[],
  context: PartyContext,
): { vendor: Side | null; buyer: Side | null; margin: number } {
  const valid = sides.filter((side) => side.id.valid)
  const own = (side: Side) => side.id.value === context.accountTaxId && !side.labelled
  const proper = valid.filter((side) => !side.mentioned || own(side))
  const usable = [proper, valid].find((some) => some.length >= 2) ?? [...sides]
  const ordered = inReadingOrder(usable).map((side, index) => ({
    side,
    lean: side.lean + Math.min(index, 3) * orderWeight,
  }))
  const only = ordered[0]
  if (only === undefined) return { vendor: null, buyer: null, margin: 0 }
  if (ordered.length === 1) {
    const lean = only.lean + (own(only.side) ? ownAloneWeight : 0)
    return lean >= 3.5
      ? { vendor: null, buyer: only.side, margin: lean - 3 }
      : { vendor: only.side, buyer: null, margin: 3.5 - lean }
  }
  const sorted = [...ordered].sort((a, b) => a.lean - b.lean)
  const vendor = sorted[0] ?? only
  // of several that are as likely the buyer, the first
  const buyer = ordered.filter((other) => other !== vendor).sort((a, b) => b.side.lean - a.side.lean)[0] ?? only
  const margin = buyer.lean - vendor.lean
  // an invoice that the account issued shows it by more than the order of its parties
  if (own(vendor.side) && margin < ownWeight && !buyer.side.labelled)
    return { vendor: buyer.side, buyer: vendor.side, margin: ownWeight - margin }
  return { vendor: vendor.side, buyer: buyer.side, margin: margin + (own(buyer.side) ? ownWeight : 0) }
}
