/** Provinces by the first two digits of their postal codes, in at most the 20 characters that the format takes. */
const provinces: Readonly<Record<string, string>> = {
  '01': 'Álava',
  '02': 'Albacete',
  '03': 'Alicante',
  '04': 'Almería',
  '05': 'Ávila',
  '06': 'Badajoz',
  '07': 'Illes Balears',
  '08': 'Barcelona',
  '09': 'Burgos',
  '10': 'Cáceres',
  '11': 'Cádiz',
  '12': 'Castellón',
  '13': 'Ciudad Real',
  '14': 'Córdoba',
  '15': 'A Coruña',
  '16': 'Cuenca',
  '17': 'Girona',
  '18': 'Granada',
  '19': 'Guadalajara',
  '20': 'Gipuzkoa',
  '21': 'Huelva',
  '22': 'Huesca',
  '23': 'Jaén',
  '24': 'León',
  '25': 'Lleida',
  '26': 'La Rioja',
  '27': 'Lugo',
  '28': 'Madrid',
  '29': 'Málaga',
  '30': 'Murcia',
  '31': 'Navarra',
  '32': 'Ourense',
  '33': 'Asturias',
  '34': 'Palencia',
  '35': 'Las Palmas',
  '36': 'Pontevedra',
  '37': 'Salamanca',
  '38': 'S. C. de Tenerife',
  '39': 'Cantabria',
  '40': 'Segovia',
  '41': 'Sevilla',
  '42': 'Soria',
  '43': 'Tarragona',
  '44': 'Teruel',
  '45': 'Toledo',
  '46': 'Valencia',
  '47': 'Valladolid',
  '48': 'Bizkaia',
  '49': 'Zamora',
  '50': 'Zaragoza',
  '51': 'Ceuta',
  '52': 'Melilla',
}

/** The province of a Spanish postal code, or null when no province has such codes. */
export const provinceOf = (postCode: string): string | null => provinces[postCode.slice(0, 2)] ?? null

/** The town that a postal code itself names: only Ceuta and Melilla, which are one town each. */
export const townOf = (postCode: string): string | null =>
  postCode.startsWith('51') || postCode.startsWith('52') ? provinceOf(postCode) : null

/** True for five digits that begin with a province. */
export const isPostCode = (text: string): boolean => /^\d{5}$/.test(text) && provinceOf(text) !== null

/** The indirect tax of the place where a seller lives: IGIC in the Canaries, IPSI in Ceuta and Melilla, else IVA. */
export function indirectTaxAt(postCode: string): 'IVA' | 'IGIC' | 'IPSI' {
  const province = postCode.slice(0, 2)
  if (province === '35' || province === '38') return 'IGIC'
  return province === '51' || province === '52' ? 'IPSI' : 'IVA'
}
