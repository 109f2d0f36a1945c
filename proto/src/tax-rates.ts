/**
 * The indirect taxes of Spain by date: IVA with its recargo de equivalencia, IGIC of the Canary Islands, IPSI of Ceuta
 * and Melilla. A rate that is in no row at a date is no legal rate of an operation of that date.
 */
export const indirectTaxes = ['IVA', 'IGIC', 'IPSI'] as const
export type IndirectTax = (typeof indirectTaxes)[number]

export interface TaxRateRow {
  tax: IndirectTax
  /** Percent. */
  rate: number
  /** Recargo de equivalencia in percent that may go with the rate; the first is the usual one. */
  surcharges: readonly number[]
  since: string
  /** Last day; null while in force. */
  until: string | null
  source: string
}

const row = (
  tax: IndirectTax,
  rate: number,
  surcharges: readonly number[],
  [since, until]: readonly [string, string | null],
  source: string,
): TaxRateRow => ({ tax, rate, surcharges, since, until, source })

const iva1995 = ['1995-01-01', '2010-06-30'] as const
const iva2010 = ['2010-07-01', '2012-08-31'] as const
const iva2012 = ['2012-09-01', null] as const
const igic1993 = ['1993-01-01', '2012-06-30'] as const
const igic2012 = ['2012-07-01', null] as const
const ipsiRates = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5, 10]

/** Taken so that no invoice printed with such a rate is refused; the dates are the widest that may be right. */
const unsourced = 'no source found for rate or dates; Ley 4/2012 (Canarias) art. 51 lists the rates in force'

export const taxRates: readonly TaxRateRow[] = [
  row('IVA', 21, [5.2, 1.75], iva2012, 'Ley 37/1992 arts. 90.Uno y 161, RDL 20/2012 art. 23'),
  row('IVA', 10, [1.4], iva2012, 'Ley 37/1992 arts. 91.Uno y 161, RDL 20/2012 art. 23'),
  row('IVA', 4, [0.5], ['1995-01-01', null], 'Ley 37/1992 arts. 91.Dos y 161'),
  row('IVA', 0, [0], ['1986-01-01', null], 'Ley 37/1992 arts. 20–26: operations exempt or not subject'),
  row('IVA', 7.5, [1], ['2024-10-01', '2024-12-31'], 'RDL 4/2024: seed oils and pasta'),
  row('IVA', 5, [0.62, 0.6, 0.5], ['2022-07-01', '2024-09-30'], 'RDL 11/2022, 17/2022, 20/2022, 8/2023, 4/2024'),
  row('IVA', 2, [0.26], ['2024-10-01', '2024-12-31'], 'RDL 4/2024: staple food and olive oil'),
  row('IVA', 18, [4, 1.75], iva2010, 'Ley 26/2009 art. 79'),
  row('IVA', 8, [1], iva2010, 'Ley 26/2009 art. 79'),
  row('IVA', 16, [4, 1.75], iva1995, 'Ley 41/1994 art. 78'),
  row('IVA', 7, [1], iva1995, 'Ley 41/1994 art. 78'),
  row('IGIC', 7, [], ['2012-07-01', '2018-12-31'], 'Ley 4/2012 (Canarias) art. 51'),
  row('IGIC', 6.5, [], ['2019-01-01', '2019-12-31'], 'Ley 7/2018 (Canarias)'),
  row('IGIC', 7, [], ['2020-01-01', null], 'Ley 19/2019 (Canarias)'),
  row('IGIC', 0, [], ['1993-01-01', null], 'Ley 20/1991, Ley 4/2012 art. 52'),
  row('IGIC', 3, [], igic2012, 'Ley 4/2012 art. 54'),
  row('IGIC', 5, [], ['1993-01-01', '2012-06-30'], 'RD 2538/1994 art. 54'),
  row('IGIC', 5, [], ['2020-01-01', null], unsourced),
  row('IGIC', 1, [], ['2020-01-01', null], unsourced),
  row('IGIC', 9.5, [], igic2012, 'Ley 4/2012 art. 55'),
  row('IGIC', 13.5, [], ['2012-07-01', '2019-12-31'], 'Ley 4/2012 art. 56'),
  row('IGIC', 15, [], ['2020-01-01', null], 'Ley 4/2012 art. 56 as amended by Ley 19/2019'),
  row('IGIC', 20, [], igic2012, 'Ley 4/2012 art. 57'),
  row('IGIC', 35, [], igic2012, 'Ley 4/2012: tobacco'),
  row('IGIC', 2.75, [], ['2012-07-01', '2015-12-31'], 'Ley 4/2012: first home'),
  row('IGIC', 2, [], igic1993, 'Ley 20/1991 art. 27'),
  row('IGIC', 9, [], igic1993, 'Ley 20/1991 art. 27'),
  row('IGIC', 13, [], igic1993, 'Ley 20/1991 art. 27'),
  ...ipsiRates.map((rate) =>
    row('IPSI', rate, [], ['1991-03-27', null], 'Ley 8/1991 art. 18: set by each city between 0.5 and 10'),
  ),
]

/** Rates of withholding (IRPF and IRNR) in use now or before; they name a rate that only shows in an amount. */
export const withholdingRates = [15, 7, 19, 2, 1, 24, 20, 21, 9, 18, 19.5, 35, 47, 13, 24.75, 24.5, 8] as const

/** True when `rate` was a legal rate of the tax on `date` (`YYYY-MM-DD`). */
export const isRateInForce = (tax: IndirectTax, rate: number, date: string): boolean =>
  taxRates.some((entry) => entry.tax === tax && entry.rate === rate && covers(entry, date))

/** True when some row of the tables has the rate, whatever its tax and date. */
export const isKnownRate = (rate: number): boolean => taxRates.some((entry) => entry.rate === rate)

/** The recargo de equivalencia rates that may go with an IVA rate on a date, the usual one first; empty when none. */
export const surchargesOf = (rate: number, date: string): readonly number[] =>
  taxRates.find((entry) => entry.tax === 'IVA' && entry.rate === rate && covers(entry, date))?.surcharges ?? []

/** The rates of a tax on a date, highest first. */
export const ratesInForce = (tax: IndirectTax, date: string): number[] =>
  taxRates
    .filter((entry) => entry.tax === tax && covers(entry, date))
    .map((entry) => entry.rate)
    .sort((a, b) => b - a)

const covers = (entry: TaxRateRow, date: string): boolean =>
  entry.since <= date && (entry.until === null || date <= entry.until)
