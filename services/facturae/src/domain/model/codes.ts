import lists from '../../../data/codes.json' with { type: 'json' }

/** The code lists of the format, from the enumerations of Facturaev3_2_2.xsd. */
export const unitNames: Readonly<Record<string, string>> = lists.units
/** ReasonDescription is fixed by the code; the schema takes no other words. */
export const correctionReasons: Readonly<Record<string, string>> = lists.correctionReasons
export const correctionMethods: Readonly<Record<string, string>> = lists.correctionMethods
export const languageCodes: ReadonlySet<string> = new Set(Object.keys(lists.languages))
export const countryCodes: ReadonlySet<string> = new Set(lists.countries)
export const currencyCodes: ReadonlySet<string> = new Set(lists.currencies)
export const attachmentFormats: ReadonlySet<string> = new Set(lists.attachmentFormats)

/** Member states of the European Union, which decide ResidenceTypeCode `U`. */
export const euCountries: ReadonlySet<string> = new Set(
  'AUT BEL BGR CYP CZE DEU DNK ESP EST FIN FRA GRC HRV HUN IRL ITA LTU LUX LVA MLT NLD POL PRT ROU SVK SVN SWE'.split(
    ' ',
  ),
)

/** Alpha-2 codes that callers send where alpha-3 is meant; Greece also by its VAT prefix. */
const alpha3Of: Readonly<Record<string, string>> = {
  AT: 'AUT',
  BE: 'BEL',
  BG: 'BGR',
  CY: 'CYP',
  CZ: 'CZE',
  DE: 'DEU',
  DK: 'DNK',
  ES: 'ESP',
  EE: 'EST',
  FI: 'FIN',
  FR: 'FRA',
  GR: 'GRC',
  EL: 'GRC',
  HR: 'HRV',
  HU: 'HUN',
  IE: 'IRL',
  IT: 'ITA',
  LT: 'LTU',
  LU: 'LUX',
  LV: 'LVA',
  MT: 'MLT',
  NL: 'NLD',
  PL: 'POL',
  PT: 'PRT',
  RO: 'ROU',
  SK: 'SVK',
  SI: 'SVN',
  SE: 'SWE',
  GB: 'GBR',
  UK: 'GBR',
  US: 'USA',
  CH: 'CHE',
  NO: 'NOR',
  AD: 'AND',
  MX: 'MEX',
  AR: 'ARG',
  CL: 'CHL',
  CO: 'COL',
  PE: 'PER',
  BR: 'BRA',
  MA: 'MAR',
  CN: 'CHN',
  JP: 'JPN',
  GI: 'GIB',
  CA: 'CAN',
  AU: 'AUS',
  UY: 'URY',
  EC: 'ECU',
  VE: 'VEN',
  DO: 'DOM',
}

/** The alpha-3 code of a country given by either code, or null when the format does not know it. */
export function countryOf(code: string): string | null {
  const upper = code.toUpperCase()
  const alpha3 = upper.length === 2 ? (alpha3Of[upper] ?? upper) : upper
  return countryCodes.has(alpha3) ? alpha3 : null
}
