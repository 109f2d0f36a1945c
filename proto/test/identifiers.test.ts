import { describe, expect, test } from 'vitest'
import { checkIban } from '../src/iban.ts'
import { checkTaxId } from '../src/tax-id.ts'

describe('Spanish tax ids', () => {
  test.each([
    ['99999999R', 'nif', true],
    ['es 99.999.999-r', 'nif', true],
    ['99999999A', 'nif', false],
    ['X1234567L', 'nie', true],
    ['X1234567M', 'nie', false],
    ['B12345674', 'cif', true],
    ['P2807900B', 'cif', true],
    ['P28079002', 'cif', false],
    ['Q2826004J', 'cif', true],
    ['A58818501', 'cif', true],
    ['A58818502', 'cif', false],
    ['K0867756N', 'nif', true],
    ['', null, false],
    ['FR12345678901', null, false],
  ])('%s is %s, valid: %s', (text, kind, valid) => {
    expect(checkTaxId(text)).toMatchObject({ kind, valid })
  })
})

describe('IBAN', () => {
  test.each([
    ['ES91 2100 0418 4502 0005 1332', true],
    ['es9121000418450200051332', true],
    ['IBAN: ES9121000418450200051332', true],
    ['ES9121000418450200051333', false],
    ['DE89370400440532013000', true],
    ['DE8937040044053201300', false],
    ['ES00', false],
  ])('%s valid: %s', (text, valid) => {
    expect(checkIban(text).valid).toBe(valid)
  })

  test('an IBAN that passes mod 97 with wrong CCC control digits is refused', () => {
    const body = '21000418460200051332'
    const remainder = BigInt(`${body}142800`) % 97n
    const iban = `ES${String(98n - remainder).padStart(2, '0')}${body}`
    expect(checkIban(iban).valid).toBe(false)
  })
})
