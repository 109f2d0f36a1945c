import { describe, expect, it } from 'vitest'
import { chartAccount, isPgcAccount, pgcAccount, pgcChart, pgcLabel, pgcType } from '../src/pgc.ts'

describe('the chart of accounts', () => {
  it('holds groups 1 to 7 with three and four digits, each under its parent, each code once', () => {
    const codes = new Set(pgcChart.map((account) => account.code))
    expect(codes.size).toBe(pgcChart.length)
    expect([...new Set(pgcChart.map((account) => account.code[0]))]).toEqual(['1', '2', '3', '4', '5', '6', '7'])
    for (const { code, label } of pgcChart) {
      expect(code).toMatch(/^[1-7]\d{1,3}$/)
      expect(label.trim()).toBe(label)
      expect(label.length).toBeGreaterThan(3)
      if (code.length > 2) expect(codes.has(code.slice(0, -1)), code).toBe(true)
    }
  })

  it.each([
    ['100', 'Capital social'],
    ['206', 'Aplicaciones informáticas'],
    ['217', 'Equipos para procesos de información'],
    ['430', 'Clientes'],
    ['472', 'Hacienda Pública, IVA soportado'],
    ['4751', 'Hacienda Pública, acreedora por retenciones practicadas'],
    ['572', 'Bancos e instituciones de crédito c/c vista, euros'],
    ['623', 'Servicios de profesionales independientes'],
    ['6623', 'Intereses de deudas con entidades de crédito'],
    ['705', 'Prestaciones de servicios'],
  ])('names %s as the law does', (code, label) => {
    expect(pgcAccount(code)?.label).toBe(label)
  })

  it('answers for the digits that companies add below an account', () => {
    expect(chartAccount('62800001')?.code).toBe('628')
    expect(chartAccount('4751.0001')?.code).toBe('4751')
    expect(pgcLabel('43000012')).toBe('Clientes (euros)')
  })

  it.each(['62', '', 'abc', '000', '999', '6-28', '٦٢٨', '1234567890123'])('does not know %j', (code) => {
    expect(isPgcAccount(code)).toBe(false)
  })

  it.each([
    ['628', 'gasto'],
    ['217', 'inversion'],
    ['705', 'ingreso'],
    ['300', 'gasto'],
  ] as const)('reads %s as %s', (code, type) => {
    expect(pgcType(code)).toBe(type)
  })
})
