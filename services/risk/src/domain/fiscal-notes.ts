import { pgcLabel } from '@asiento/proto/pgc'
import type { AccountingCase } from './accounting.ts'
import type { Classification } from './pgc/classify.ts'

const meals = /restaur|comida|cena|men[uú]|almuerzo|desayuno|bar\b|cafeter/i
const fuel = /gasoil|gas[oó]leo|gasolina|diesel|di[eé]sel|carburante|combustible|sin plomo|repsol|cepsa|galp|petro/i
const urbanProperty = /local|oficina|nave|inmueble|vivienda|piso|garaje|inmobili/i

/**
 * What an accountant watches with this kind of purchase, in Spanish sentences: VAT that should not be there or cannot
 * be deducted, withholdings, reverse charge, investment against expense. Sources stand in each sentence.
 */
export function fiscalNotes(found: Classification, situation: AccountingCase): string[] {
  const text = [situation.vendorName ?? '', ...situation.lines.slice(0, 20).map((line) => line.description)].join(' ')
  return [
    ...investment(found),
    ...insurance(found, situation),
    ...rent(found, situation, text),
    ...professional(found, situation),
    ...deductibility(found, text),
    ...reverseCharge(situation),
  ]
}

function investment(found: Classification): string[] {
  if (found.tooSmallFor !== null) {
    return [
      `Por su naturaleza sería ${found.tooSmallFor} ${pgcLabel(found.tooSmallFor)}, pero por su importe se lleva a gasto (libertad de amortización hasta 300 € por unidad, art. 12.3.e LIS).`,
    ]
  }
  return found.account.startsWith('2') ? ['Es inmovilizado: se amortiza, no es gasto del ejercicio.'] : []
}

function insurance(found: Classification, situation: AccountingCase): string[] {
  if (found.account !== '625') return []
  const charged = (situation.taxCents ?? 0) !== 0
  return [
    charged
      ? 'Los seguros están exentos de IVA (art. 20.Uno.16.º LIVA) y esta factura lo lleva: revíselo.'
      : 'Los seguros están exentos de IVA (art. 20.Uno.16.º LIVA).',
  ]
}

function rent(found: Classification, situation: AccountingCase, text: string): string[] {
  if (found.account !== '621' || !urbanProperty.test(text)) return []
  return Math.abs(situation.irpfRate ?? 0) === 19
    ? ['Alquiler de inmueble urbano con retención del 19 % (modelo 115).']
    : [
        'El alquiler de inmuebles urbanos lleva retención del 19 % salvo excepción (arts. 75 y 100 RIRPF): aquí no consta.',
      ]
}

function professional(found: Classification, situation: AccountingCase): string[] {
  const rate = Math.abs(situation.irpfRate ?? 0)
  if (found.account !== '623') return []
  if (rate === 15 || rate === 7) return [`Profesional con retención del ${rate} % (modelo 111).`]
  return situation.vendorIsPerson === true
    ? ['Los profesionales personas físicas llevan retención del 15 % (7 % al inicio; art. 95 RIRPF): aquí no consta.']
    : []
}

function deductibility(found: Classification, text: string): string[] {
  if (found.account === '629' && meals.test(text)) {
    return ['Comidas: el IVA solo se deduce si el gasto es deducible y consta la factura completa (art. 96 LIVA).']
  }
  if (found.account === '628' && fuel.test(text)) {
    return ['Carburante: en turismos se presume una afectación del 50 % a efectos de IVA (art. 95.Tres LIVA).']
  }
  return []
}

function reverseCharge(situation: AccountingCase): string[] {
  const country = situation.vendorCountry
  if (country == null || country === 'ESP' || (situation.taxCents ?? 0) !== 0) return []
  return ['Proveedor extranjero sin IVA: inversión del sujeto pasivo (art. 84.Uno.2.º LIVA) o importación.']
}
