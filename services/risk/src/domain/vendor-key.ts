import { normalizeTaxId } from '@asiento/proto/tax-id'
import { plain } from './pgc/words.ts'

const companyForms = new Set(
  'sl slu sa sau slp sc scp cb sll sccl scoop coop sociedad limitada anonima ltd gmbh'.split(' '),
)

/** A vendor's name without its company form, for comparing. */
export const plainName = (name: string | null): string =>
  plain(name ?? '')
    .split(' ')
    .filter((word) => word !== '' && !companyForms.has(word))
    .join(' ')

/** What a vendor is remembered by: its tax id as read, else its name; null when neither was read. */
export function vendorKey(vendor: { vat: string | null; name: string | null }): string | null {
  if (vendor.vat !== null) return vendor.vat
  const name = plainName(vendor.name)
  return name === '' ? null : `name:${name.slice(0, 200)}`
}

/**
 * A tax id as it is stored and compared, or null when the text cannot be one: between 4 and 20 letters and digits with
 * a digit among them. Its check digits do not matter here; unicode look-alikes and punctuation are folded.
 */
export function storedVat(text: string | null): string | null {
  if (text === null) return null
  const folded = normalizeTaxId(
    text.replace(/[АВЕКМНОРСТХУ]/g, (sign) => 'ABEKMHOPCTXY'['АВЕКМНОРСТХУ'.indexOf(sign)] ?? sign),
  )
  return /^(?=.*\d)[A-Z0-9]{4,20}$/.test(folded) ? folded : null
}

/** True when two vendors can be one whose tax id or name was read differently. */
export function vendorsAlike(left: VendorMark, right: VendorMark): boolean {
  if (left.key !== null && left.key === right.key) return true
  const bothHaveVat = isVat(left.key) && isVat(right.key)
  if (bothHaveVat && oneSignApart(left.key ?? '', right.key ?? '')) return true
  return !bothHaveVat && namesAlike(plainName(left.name), plainName(right.name))
}

export interface VendorMark {
  key: string | null
  name: string | null
}

const isVat = (key: string | null): boolean => key !== null && !key.startsWith('name:')

function oneSignApart(a: string, b: string): boolean {
  return a.length === b.length && [...a].filter((sign, index) => sign !== b.charAt(index)).length === 1
}

/** Half of the words of the shorter name in the longer one, or one name missing on neither side. */
function namesAlike(a: string, b: string): boolean {
  if (a === '' || b === '') return false
  const [left, right] = [new Set(a.split(' ')), new Set(b.split(' '))]
  const shared = [...left].filter((word) => right.has(word)).length
  return shared > 0 && shared >= Math.min(left.size, right.size) / 2
}
