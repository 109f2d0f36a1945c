import type { TaxType } from '@asiento/proto/schemas/extraction-result'

/**
 * Rates that a Spanish invoice may bear, as exact decimals, with their recargo de equivalencia where there is one.
 * IVA: Ley 37/1992 arts. 90, 91, 161 and the temporary rates of 2022–2024; older rates for old invoices. IGIC: Ley
 * 4/2012 (Canarias). IPSI: Ley 8/1991 (Ceuta, Melilla). IRPF: RD 439/2007 arts. 95, 100, 101.
 */
export const taxRates: Readonly<Record<Exclude<TaxType, 'RE'>, readonly string[]>> = {
  IVA: ['21', '10', '4', '0', '5', '7.5', '2', '18', '8', '16', '7', '12', '10.5'],
  IGIC: ['7', '3', '0', '9.5', '15', '20', '5', '6.5', '13.5', '1', '2'],
  IPSI: ['10', '4', '0.5', '8', '2', '1', '5', '9', '3', '0'],
}

/** Recargo de equivalencia by the rate of IVA it goes with (Ley 37/1992 art. 161). */
export const surchargeOf: Readonly<Record<string, readonly string[]>> = {
  '21': ['5.2', '1.75'],
  '10': ['1.4'],
  '4': ['0.5'],
  '5': ['0.62', '0.5'],
  '7.5': ['1'],
  '2': ['0.26'],
  '0': ['0'],
}

/** Withholding rates in order of frequency. */
export const withholdingRates: readonly string[] = [
  '15',
  '7',
  '19',
  '1',
  '2',
  '24',
  '20',
  '18',
  '21',
  '35',
  '9',
  '3',
  '9.5',
  '8',
  '10',
  '19.5',
  '6',
  '13',
  '5',
  '30',
  '47',
]
