import type { TaxIdFound } from './find-tax-ids.ts'
import { isAnyIdLabel } from './foreign-tax-ids.ts'
import { buysAsARule, customerNumber, namedAsIssuer, officeCodes, withheldFrom } from './issuer-signs.ts'
import { partyLabels } from './labels.ts'
import type { Cell, Sheet } from './layout.ts'
import { findLabels } from './lexicon.ts'
import { partyLabelOf } from './party-label.ts'
import type { PartyRegion } from './party-region.ts'
import type { Side } from './party-sides.ts'
import { bare } from './text.ts'

/** A label that is one side's outweighs all that is not said in words. */
const labelWeight = 6
/** One that may be either side's (`Propiedad`) decides where nothing else does. */
const relativeWeight = 3

/**
 * What on a page tells the vendor's tax id from the buyer's. Returns a function that sets `lean` and `labelled` of a
 * side: above 0 speaks for the buyer, below for the vendor. Labels weigh most.
 */
export function partyEvidence(sheet: Sheet, sides: readonly Side[], withheld: boolean): (side: Side) => void {
  const size = bodySize(sheet)
  const domains = domainsOf(sheet)
  const loose = looseLabels(sheet, sides)
  const named = namedAsIssuer(sheet, sides)
  return (side) => {
    side.lean = buysAsARule(side) + named(side) + withheldFrom(side, sides, withheld) + headed(side, sides, size)
    for (const [index, region] of side.regions.entries()) {
      const id = side.occurrences[index]
      if (id !== undefined)
        side.lean += leanOf(sheet, id, region, size) + labelLean(sheet, { id, region, side }, { sides, loose })
      side.labelled ||= region.label === 'buyer' || region.label === 'vendor'
    }
    const captions = new Set(side.occurrences.map((id) => captionOf(sheet, id)))
    if (captions.has('buyer')) side.lean += labelWeight
    if (captions.has('vendor')) side.lean -= labelWeight
    side.labelled ||= captions.has('buyer') || captions.has('vendor')
    if (side.reads.some((read) => read.addressed)) side.lean += 2.5
    side.lean -= ownDomain(side, domains, sides)
    for (const { meaning, side: labelled } of loose)
      if (labelled === side) side.lean += meaning === 'buyer' ? 2.5 : -2.5
  }
}

/**
 * What the label at an id says. One that may mean either side means what the label right above or below it in the same
 * list says (`Huésped:` over `Empresa:`), else what the other party's label leaves.
 */
function labelLean(
  sheet: Sheet,
  { id, region, side }: { id: TaxIdFound; region: PartyRegion; side: Side },
  { sides, loose }: { sides: readonly Side[]; loose: readonly LooseLabel[] },
): number {
  const inline = inlineLabel(id)
  const meaning = inline ?? region.label
  if (meaning !== 'buyer' && meaning !== 'vendor') return 0
  const sign = meaning === 'buyer' ? 1 : -1
  if (inline === null && receiver.test(region.labelCell?.text ?? '')) return labelWeight - 0.6
  if (inline !== null || !region.relative) return sign * labelWeight
  const listed = labelBeside(sheet, region.labelCell)
  if (listed !== null) return (listed === 'buyer' ? 1 : -1) * relativeWeight
  const taken =
    loose.some((label) => label.side !== side && label.meaning === meaning) ||
    sides.some((other) => other !== side && other.regions.some((own) => own.label === meaning && !own.relative))
  return (taken ? -sign : sign) * relativeWeight
}

/** The receiver of goods may be another than who is charged for them. */
const receiver = /^(?:destinatari|receptor)/i

function labelBeside(sheet: Sheet, cell: Cell | null): 'buyer' | 'vendor' | null {
  if (cell === null) return null
  for (const row of [cell.row - 1, cell.row + 1]) {
    const other = sheet.rows[row]?.cells.find((near) => near.page === cell.page && Math.abs(near.x0 - cell.x0) < 1)
    if (other === undefined || Math.max(other.y0 - cell.y1, cell.y0 - other.y1) > 1.2 * cell.size) continue
    const label = partyLabelOf(other)
    if (label !== null && !label.relative && label.meaning !== 'neither') return label.meaning
  }
  return null
}

/** The issuer's name is a heading: larger than the text, and than the name of the other. */
function headed(side: Side, sides: readonly Side[], size: number): number {
  const own = nameSize(side)
  const others = Math.max(...sides.filter((other) => other !== side).map(nameSize))
  return own > 1.2 * size && others > 0 && own > 1.2 * others ? -1.2 : 0
}

const nameSize = (side: Side): number => Math.max(0, ...side.reads.map((read) => read.name?.tokens[0]?.size ?? 0))

interface LooseLabel {
  meaning: 'buyer' | 'vendor'
  side: Side
}

/** Labels that head no region: each is about the nearest tax id within eight rows below it. */
function looseLabels(sheet: Sheet, sides: readonly Side[]): LooseLabel[] {
  const heading = new Set(sides.flatMap((side) => side.regions.map((region) => region.labelCell)))
  return sheet.cells.slice(0, 400).flatMap((cell) => {
    if (heading.has(cell)) return []
    const label = partyLabelOf(cell)
    if (label === null || !label.alone || label.meaning === 'neither') return []
    const { meaning } = label
    const below = sides.flatMap((side) =>
      side.occurrences
        .filter((id) => id.page === cell.page && id.cell.row > cell.row && id.cell.row <= cell.row + 8)
        .map((id) => ({ side, distance: id.y0 - cell.y1 + Math.abs(id.cell.x0 - cell.x0) / 2 })),
    )
    const nearest = below.sort((a, b) => a.distance - b.distance)[0]
    return nearest === undefined ? [] : [{ meaning, side: nearest.side }]
  })
}

const registryLine =
  /registro mercantil|reg\. ?mer|r\. ?m\.|inscrita|inscrito|rexistro mercantil|registre mercantil|tomo \d|folio \d|hoja [a-z]/i

function leanOf(sheet: Sheet, id: TaxIdFound, region: PartyRegion, size: number): number {
  let lean = 0
  const label = inlineLabel(id) ?? region.label
  const text = region.cells.map((cell) => cell.text).join(' ')
  if (registryLine.test(text)) lean -= 5
  if (/tel[ée]?[fé]?\.?|tlf|tfno|\bt\.? ?[+\d]|@|www\.|fax/i.test(text)) lean -= 1.2
  if ((id.tokens[0]?.turned ?? 0) !== 0) lean -= 4
  const page = sheet.document.pages.find((candidate) => candidate.index === id.page)
  if (page !== undefined && id.y0 > 0.85 * page.heightPt && label === null) lean -= 2.5
  const top = region.cells[0]
  if (top !== undefined && top.size > 1.25 * size) lean -= 1
  if (
    label === null &&
    (besideCustomerNumber(sheet, id) || region.cells.some((cell) => customerNumber.test(cell.text)))
  )
    lean += 2.5
  if (label === null && officeCodes.test(text)) lean += 2.5
  if (label === null && bankBelow(sheet, region)) lean -= 1.5
  return lean
}

/** A party label within the cell of the id, before it: `Cliente: Firma, S.L. (CIF B…)`. */
function inlineLabel(id: TaxIdFound): 'buyer' | 'vendor' | null {
  const label = partyLabelOf(id.cell)
  return label === null || label.meaning === 'neither' ? null : label.meaning
}

/** `NIF cliente` left of or above an id: the label names id and party at once. */
function captionOf(sheet: Sheet, id: TaxIdFound): 'buyer' | 'vendor' | null {
  const left = sheet.rows[id.cell.row]?.cells.findLast((cell) => cell.x1 <= id.cell.x0)
  const above = sheet.rows[id.cell.row - 1]?.cells.find(
    (cell) => Math.min(cell.x1, id.cell.x1) > Math.max(cell.x0, id.cell.x0) && id.y0 - cell.y1 < 1.2 * cell.size,
  )
  for (const cell of [id.cell, left, above]) {
    const whose = cell === undefined ? null : whoseId(cell)
    if (whose !== null) return whose
  }
  return null
}

const yours = /^(?:su|vuestro|vostre|your|ihre|votre|vostra|seu|zure)$/
const ours = /^(?:nuestro|nostre|our|unsere|notre|nostra|nosso|gure)$/

function whoseId(cell: Cell): 'buyer' | 'vendor' | null {
  const at = cell.tokens.findIndex((token) => isAnyIdLabel(token.bare))
  if (at < 0 || at > 2) return null
  const before = cell.tokens[at - 1]?.bare ?? ''
  if (yours.test(before)) return 'buyer'
  if (ours.test(before)) return 'vendor'
  if (/:$/.test(cell.tokens[at]?.text ?? '')) return null
  const label = findLabels(cell.tokens, partyLabels).find((found) => found.from > at)
  return label !== undefined && label.meaning !== 'neither' && label.from <= at + 3 ? label.meaning : null
}

/** `Cód. Cliente   617909` over, under or beside the id: both are the customer's. */
function besideCustomerNumber(sheet: Sheet, id: TaxIdFound): boolean {
  const near = (index: number): Cell[] =>
    (sheet.rows[index]?.cells ?? []).filter(
      (cell) =>
        cell.page === id.page &&
        Math.abs(cell.y0 - id.y0) < 2.4 * cell.size &&
        Math.abs(cell.x0 - id.cell.x0) < 16 * cell.size,
    )
  return [...near(id.cell.row - 1), ...near(id.cell.row + 1)].some((cell) => customerNumber.test(cell.text))
}

/** Bank data right below a party are those of the one who is paid. */
function bankBelow(sheet: Sheet, region: PartyRegion): boolean {
  const last = region.cells.at(-1)
  const first = region.cells[0]
  if (last === undefined || first === undefined) return false
  for (let index = last.row; index <= last.row + 2; index += 1) {
    const cell = sheet.rows[index]?.cells.find((other) => Math.abs(other.x0 - first.x0) < 2 * first.size)
    if (
      cell !== undefined &&
      cell.page === last.page &&
      cell.y0 - last.y1 < 3 * last.size &&
      /^(?:iban|banco|swift|bic|cuenta)\b/i.test(cell.text)
    )
      return true
  }
  return false
}

/** Names within mail and web addresses, in letters only: `hola@bodegasruiz.es` is `bodegasruiz`. */
function domainsOf(sheet: Sheet): string[] {
  const found = new Set<string>()
  for (const token of sheet.tokens) {
    const domain = /(?:@|www\.|https?:\/\/)([\w.-]{4,60})\.[a-z]{2,6}\b/i.exec(token.text)?.[1]
    if (domain !== undefined) found.add(letters(domain.replace(/^www\./i, '')))
  }
  return [...found].filter(
    (domain) => !/^(?:gmail|hotmail|outlook|yahoo|telefonica|icloud|aeat|agpd|aepd)/.test(domain),
  )
}

/** 3 where a mail or web address bears the name of this party and of no other. */
function ownDomain(side: Side, domains: readonly string[], sides: readonly Side[]): number {
  if (domains.length === 0) return 0
  const own = domains.filter((domain) => bearsName(domain, side))
  const foreign = own.every((domain) => sides.some((other) => other !== side && bearsName(domain, other)))
  return own.length > 0 && !foreign ? 3 : 0
}

function bearsName(domain: string, side: Side): boolean {
  return side.reads.some(({ name }) => {
    if (name === null) return false
    const words = name.text.split(/\s+/).map(letters)
    const joined = words.filter((word) => word.length > 1).join('')
    if (domain.length >= 6 && joined.startsWith(domain.slice(0, 12))) return true
    return words.some((word) => word.length >= 6 && domain.includes(word))
  })
}

const letters = (text: string): string => bare(text).replace(/[^a-z]/g, '')

/** The usual size of the sheet's text. */
export function bodySize(sheet: Sheet): number {
  const sizes = sheet.cells
    .slice(0, 400)
    .map((cell) => cell.size)
    .sort((a, b) => a - b)
  return sizes[Math.floor(sizes.length / 2)] ?? 10
}
