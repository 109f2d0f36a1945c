/** ISO 3166-1 alpha-3 of the countries whose VAT numbers we can judge, as alpha-2. */
const toAlpha2: Record<string, string> = {
  AUT: 'AT',
  BEL: 'BE',
  BGR: 'BG',
  CYP: 'CY',
  CZE: 'CZ',
  DEU: 'DE',
  DNK: 'DK',
  EST: 'EE',
  GRC: 'EL',
  ESP: 'ES',
  FIN: 'FI',
  FRA: 'FR',
  HRV: 'HR',
  HUN: 'HU',
  IRL: 'IE',
  ITA: 'IT',
  LTU: 'LT',
  LUX: 'LU',
  LVA: 'LV',
  MLT: 'MT',
  NLD: 'NL',
  POL: 'PL',
  PRT: 'PT',
  ROU: 'RO',
  SWE: 'SE',
  SVN: 'SI',
  SVK: 'SK',
}

/** The VIES country code of an ISO alpha-3 code; the code itself where it is another country, null when unknown. */
export const alpha2 = (alpha3: string | null | undefined): string | null =>
  alpha3 == null || alpha3 === '' ? null : (toAlpha2[alpha3.toUpperCase()] ?? alpha3.toUpperCase())
