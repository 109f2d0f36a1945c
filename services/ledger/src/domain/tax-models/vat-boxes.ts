/**
 * Which box a rate is declared in, by date. A row is added when a form or a rate changes; none is ever edited.
 *
 * Sources: Orden HFP/3666/2024, HAC/819/2024, HFP/1124/2022 and EHA/3786/2008 (303); Orden HAC/1274/2024, HFP/1395/2023 and
 * EHA/3111/2009 (390); RDL 20/2022, 8/2023 and 4/2024 (temporary rates).
 */
export interface RateBoxes {
  rate: number
  /** First and last day of the operations that go there; null while in force. */
  since: string
  until: string | null
  base: string
  /** The box that prints the rate; the 390 has none. */
  percent: string | null
  amount: string
  source: string
}

const row = (
  rate: number,
  boxes: readonly [string, string | null, string],
  [since, until]: readonly [string, string | null],
  source: string,
): RateBoxes => ({ rate, since, until, base: boxes[0], percent: boxes[1], amount: boxes[2], source })

const always = ['1995-01-01', null] as const
const since2012 = ['2012-09-01', null] as const
const from2010to2012 = ['2010-07-01', '2012-08-31'] as const
const from2023 = ['2023-01-01', '2024-09-30'] as const
const autumn2024 = ['2024-10-01', '2024-12-31'] as const

/** 303, IVA devengado, régimen general. */
export const outputBoxes303: readonly RateBoxes[] = [
  row(2, ['165', '166', '167'], autumn2024, 'Orden HAC/819/2024; RDL 4/2024'),
  row(4, ['01', '02', '03'], always, 'Ley 37/1992 art. 91.Dos'),
  row(5, ['153', '154', '155'], from2023, 'Orden HFP/1124/2022; RDL 20/2022'),
  row(7.5, ['153', '154', '155'], autumn2024, 'Orden HAC/819/2024; RDL 4/2024'),
  row(8, ['04', '05', '06'], from2010to2012, 'Ley 26/2009 art. 79'),
  row(10, ['04', '05', '06'], since2012, 'Ley 37/1992 art. 91.Uno'),
  row(18, ['07', '08', '09'], from2010to2012, 'Ley 26/2009 art. 79'),
  row(21, ['07', '08', '09'], since2012, 'Ley 37/1992 art. 90.Uno'),
]

/** 303, recargo de equivalencia. */
export const surchargeBoxes303: readonly RateBoxes[] = [
  row(1.75, ['156', '157', '158'], ['2023-01-01', null], 'Ley 37/1992 art. 161.4º'),
  row(0.5, ['16', '17', '18'], ['1995-01-01', '2024-09-30'], 'Ley 37/1992 art. 161.3º'),
  row(0.5, ['168', '169', '170'], ['2024-10-01', null], 'Orden HAC/819/2024'),
  row(0.26, ['168', '169', '170'], autumn2024, 'RDL 4/2024'),
  row(0.62, ['16', '17', '18'], from2023, 'RDL 20/2022, 8/2023'),
  row(1, ['16', '17', '18'], autumn2024, 'RDL 4/2024'),
  row(1.4, ['19', '20', '21'], since2012, 'Ley 37/1992 art. 161.2º'),
  row(5.2, ['22', '23', '24'], since2012, 'Ley 37/1992 art. 161.1º'),
]

/** 390, operaciones en régimen general: base and cuota by rate. */
export const outputBoxes390: readonly RateBoxes[] = [
  row(4, ['01', null, '02'], always, 'Orden EHA/3111/2009'),
  row(10, ['03', null, '04'], since2012, 'Orden EHA/3111/2009'),
  row(21, ['05', null, '06'], since2012, 'Orden EHA/3111/2009'),
  row(5, ['702', null, '703'], from2023, 'Orden HFP/1395/2023'),
  row(2, ['667', null, '668'], autumn2024, 'Orden HAC/1274/2024'),
  row(7.5, ['669', null, '670'], autumn2024, 'Orden HAC/1274/2024'),
]

export const surchargeBoxes390: readonly RateBoxes[] = [
  row(0.5, ['35', null, '36'], always, 'Orden EHA/3111/2009'),
  row(1.4, ['599', null, '600'], since2012, 'Orden EHA/3111/2009'),
  row(5.2, ['601', null, '602'], since2012, 'Orden EHA/3111/2009'),
  row(1.75, ['41', null, '42'], since2012, 'Orden EHA/3111/2009'),
  row(0.62, ['665', null, '666'], from2023, 'Orden HFP/1395/2023'),
  row(0.26, ['691', null, '692'], autumn2024, 'Orden HAC/1274/2024'),
  row(1, ['693', null, '694'], autumn2024, 'Orden HAC/1274/2024'),
]

/** 390, IVA deducible en operaciones interiores de bienes y servicios corrientes. */
export const currentInputBoxes390: readonly RateBoxes[] = [
  row(4, ['190', null, '191'], always, 'Orden EHA/3111/2009'),
  row(10, ['603', null, '604'], since2012, 'Orden EHA/3111/2009'),
  row(21, ['605', null, '606'], since2012, 'Orden EHA/3111/2009'),
  row(5, ['724', null, '725'], from2023, 'Orden HFP/1395/2023'),
  row(2, ['695', null, '696'], autumn2024, 'Orden HAC/1274/2024'),
  row(7.5, ['697', null, '698'], autumn2024, 'Orden HAC/1274/2024'),
]

/** 390, IVA deducible en operaciones interiores de bienes de inversión. */
export const investmentInputBoxes390: readonly RateBoxes[] = [
  row(4, ['196', null, '197'], always, 'Orden EHA/3111/2009'),
  row(10, ['611', null, '612'], since2012, 'Orden EHA/3111/2009'),
  row(21, ['613', null, '614'], since2012, 'Orden EHA/3111/2009'),
]

/** The row of a rate on a day; undefined where the form has no box for it. */
export const boxesFor = (table: readonly RateBoxes[], rate: number, date: string): RateBoxes | undefined =>
  table.find((each) => each.rate === rate && each.since <= date && (each.until === null || date <= each.until))

/** The rows with a day in force between `from` and `to`. */
export const rowsWithin = (table: readonly RateBoxes[], from: string, to: string): RateBoxes[] =>
  table.filter((each) => each.since <= to && (each.until === null || from <= each.until))
