import { cccControlHolds, isValidIban } from '@asiento/proto/iban'
import { checkTaxId } from '@asiento/proto/tax-id'
import type { Random } from './random.ts'

/** A tax id with the right control character; the last sign is searched for, since there are at most 33. */
function withControl(body: string): string {
  for (const sign of '0123456789ABCDEFGHIJKLMNOPQRSTVWXYZ') {
    if (checkTaxId(body + sign).valid) return body + sign
  }
  throw new RangeError(`no control character fits ${body}`)
}

export const companyTaxId = (random: Random, letter: string): string =>
  withControl(`${letter}${String(random.int(1, 52)).padStart(2, '0')}${random.digits(5)}`)

export const personTaxId = (random: Random): string =>
  random.chance(0.12)
    ? withControl(`${random.pick(['X', 'Y', 'Z'])}${random.digits(7)}`)
    : withControl(random.digits(8))

/** Entity codes of Spanish banks. */
const banks = [
  '0049',
  '0075',
  '0081',
  '0128',
  '0182',
  '0487',
  '1465',
  '2038',
  '2080',
  '2085',
  '2095',
  '2100',
  '3058',
  '3035',
]

export function spanishIban(random: Random): string {
  const bankAndBranch = random.pick(banks) + String(random.int(1, 9999)).padStart(4, '0')
  const account = random.digits(10)
  for (let control = 0; control < 100; control += 1) {
    const ccc = `${bankAndBranch}${String(control).padStart(2, '0')}${account}`
    if (!cccControlHolds(ccc)) continue
    for (let check = 2; check < 99; check += 1) {
      const iban = `ES${String(check).padStart(2, '0')}${ccc}`
      if (isValidIban(iban)) return iban
    }
  }
  throw new RangeError('no control digits fit')
}
