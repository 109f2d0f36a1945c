import { checkTaxId } from '@asiento/proto/tax-id'
import type { Cell, Sheet } from './layout.ts'
import type { Side } from './party-sides.ts'
import { bare } from './text.ts'

/** What an invoice shows of its issuer away from its data, and of the kinds of persons that pay or are paid. */

/** Sentences that speak for the issuer: data protection, registry, thanks, signature, the account to pay into. */
const issuersWords =
  /protecci[oó]n de datos|protecci[oó] de dades|rgpd|lopd|tratamiento de (?:sus |los )?datos|responsable del (?:tratamiento|fichero)|responsable:|registro mercantil|registre mercantil|rexistro mercantil|inscrita en|^fdo|^firmado|^signat|©|a favor de|titular de la cuenta|titular:|beneficiario|ingreso en|nuestra cuenta/i

/** Minus 2.5 where such a sentence bears the name of this party alone. */
export function namedAsIssuer(sheet: Sheet, sides: readonly Side[]): (side: Side) => number {
  const sentences = sheet.cells.filter((cell) => issuersWords.test(cell.text))
  if (sentences.length === 0) return () => 0
  const bearers = new Map(sides.map((side) => [side, sentences.filter((cell) => bears(cell, side))]))
  return (side) => {
    const own = bearers.get(side) ?? []
    const others = sides.filter((other) => other !== side).flatMap((other) => bearers.get(other) ?? [])
    return own.some((cell) => !others.includes(cell)) ? -2.5 : 0
  }
}

function bears(cell: Cell, side: Side): boolean {
  if (side.regions.some((region) => region.cells.includes(cell) && region.label === 'buyer')) return false
  const text = bare(cell.text)
  return side.reads.some(({ name }) => {
    if (name === null || name.text.length < 8) return false
    const own = bare(name.text)
    if (!text.includes(own)) return false
    // its own row, `Titular: NAME` above its address, says nothing
    return !name.tokens.some((token) => cell.tokens.includes(token)) || /^(?:fdo|firmado)/i.test(cell.text)
  })
}

/**
 * Only natural persons have income tax withheld as a rule (Ley 35/2006 art. 101; RD 439/2007 arts. 75 and 95), so with a
 * withholding the person among the two is the issuer.
 */
export function withheldFrom(side: Side, sides: readonly Side[], withheld: boolean): number {
  if (!withheld) return 0
  const persons = sides.filter(isPerson)
  if (persons.length !== 1 || sides.length < 2) return 0
  return isPerson(side) ? -2.6 : 0
}

const isPerson = (side: Side): boolean => /^ni[fe]$/.test(checkTaxId(side.id.value).kind ?? '')

/**
 * Communities of owners, public bodies, congregations and associations buy far more than they sell. The first letter of
 * the tax id tells them (Orden EHA/451/2008).
 */
export const buysAsARule = (side: Side): number => {
  const letter = side.id.value.charAt(0)
  if (letter === 'H') return 2
  if (/[PS]/.test(letter)) return 1
  return /[QRG]/.test(letter) ? 0.5 : 0
}

/** Bodies of the administration that an invoice is addressed to, by their codes in the DIR3 directory. */
export const officeCodes = /oficina contable|[oó]rgano gestor|unidad tramitadora|[oó]rgano proponente|\bdir ?3\b/i

/** `Cód. Cliente 617909`, `Nº de abonado: 88`: the number that the issuer knows its customer by. */
export const customerNumber =
  /^(?:(?:c[oó]d(?:igo|\.)?|n[ºo°]\.?|n[uú]m(?:ero|\.)?|ref(?:erencia|\.)?|id) ?(?:de |del )?(?:client|abonad|soci[oa])|client[ea]? ?(?:n[ºo°.]|n[uú]m|c[oó]d)|customer (?:no|number|id|code)|client (?:no|number|id|code)|bezero)/i
