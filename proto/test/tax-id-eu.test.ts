import { describe, expect, it } from 'vitest'
import { checkVatNumber, vatCountries } from '../src/tax-id-eu.ts'

/** Published numbers of well-known companies and of the states' own examples. */
const right: [string, string][] = [
  ['AT', 'ATU13585627'],
  ['BE', 'BE0403019261'],
  ['BG', 'BG175074752'],
  ['CY', 'CY10259033P'],
  ['CZ', 'CZ25123891'],
  ['DE', 'DE136695976'],
  ['DK', 'DK13585628'],
  ['EE', 'EE100931558'],
  ['EL', 'EL094259216'],
  ['ES', 'ESA28015865'],
  ['FI', 'FI20774740'],
  ['FR', 'FR40303265045'],
  ['HR', 'HR33392005961'],
  ['HU', 'HU12892312'],
  ['IE', 'IE6433435F'],
  ['IE', 'IE6433435OA'],
  ['IT', 'IT00743110157'],
  ['LT', 'LT119511515'],
  ['LU', 'LU15027442'],
  ['LV', 'LV40003521600'],
  ['MT', 'MT11679112'],
  ['NL', 'NL004495445B01'],
  ['PL', 'PL8567346215'],
  ['PT', 'PT501964843'],
  ['RO', 'RO18547290'],
  ['SE', 'SE123456789701'],
  ['SI', 'SI50223054'],
  ['SK', 'SK2022749619'],
  ['XI', 'XI980780684'],
]

describe('VAT numbers of the member states', () => {
  it.each(right)('holds %s %s for right, and the same with one digit changed for wrong', (country, number) => {
    expect(checkVatNumber(number)).toMatchObject({ country, valid: true })
    const position = number.search(/\d(?=\d*[A-Z]*\d*$)/)
    const digit = String((Number(number[position]) + 1) % 10)
    const changed = number.slice(0, position) + digit + number.slice(position + 1)
    expect(checkVatNumber(changed).valid, changed).toBe(false)
  })

  it('knows every member state, Spain and Northern Ireland', () => {
    expect(vatCountries.length).toBe(28)
    expect(new Set(right.map(([country]) => country)).size).toBe(28)
  })

  it.each([
    ['de 136.695.976', 'DE136695976'],
    ['ＦＲ 40 303 265 045', 'FR40303265045'],
    ['GR094259216', 'EL094259216'],
    ['ES-A28015865', 'A28015865'],
    ['a 28.015.865', 'A28015865'],
  ])('reads %s as %s', (text, value) => {
    expect(checkVatNumber(text)).toMatchObject({ value, valid: true })
  })

  it('takes a bare number for the country that is given', () => {
    expect(checkVatNumber('136695976', 'DE')).toMatchObject({ country: 'DE', number: '136695976', valid: true })
    expect(checkVatNumber('094259216', 'GR')).toMatchObject({ country: 'EL', valid: true })
  })

  it.each(['', 'XX', '????', 'GB980780684', 'US12-3456789', 'DE12', 'B00000000000'])('refuses %j', (text) => {
    expect(checkVatNumber(text).valid).toBe(false)
  })
})
