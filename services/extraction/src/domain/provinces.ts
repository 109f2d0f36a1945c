import { foreignCountry } from './countries.ts'
import { fold } from './text.ts'

/** Provinces by the first two digits of the postal code (Correos). */
const provinces: readonly string[] = [
  '',
  'Álava',
  'Albacete',
  'Alicante',
  'Almería',
  'Ávila',
  'Badajoz',
  'Illes Balears',
  'Barcelona',
  'Burgos',
  'Cáceres',
  'Cádiz',
  'Castellón',
  'Ciudad Real',
  'Córdoba',
  'A Coruña',
  'Cuenca',
  'Girona',
  'Granada',
  'Guadalajara',
  'Gipuzkoa',
  'Huelva',
  'Huesca',
  'Jaén',
  'León',
  'Lleida',
  'La Rioja',
  'Lugo',
  'Madrid',
  'Málaga',
  'Murcia',
  'Navarra',
  'Ourense',
  'Asturias',
  'Palencia',
  'Las Palmas',
  'Pontevedra',
  'Salamanca',
  'Santa Cruz de Tenerife',
  'Cantabria',
  'Segovia',
  'Sevilla',
  'Soria',
  'Tarragona',
  'Teruel',
  'Toledo',
  'Valencia',
  'Valladolid',
  'Bizkaia',
  'Zamora',
  'Zaragoza',
  'Ceuta',
  'Melilla',
]

const names = new Set(
  [
    ...provinces,
    'España',
    'Spain',
    'Spanien',
    'Espagne',
    'Espanha',
    'Spagna',
    'Espainia',
    'Espanya',
    'Asturias',
    'Vizcaya',
    'Guipúzcoa',
    'La Coruña',
    'Lérida',
    'Gerona',
    'Orense',
    'Baleares',
    'Islas Baleares',
    'Alacant',
    'València',
    'Castelló',
    'Araba',
    'Nafarroa',
    'Principado de Asturias',
    'Comunidad de Madrid',
    'Región de Murcia',
  ]
    .filter((name) => name !== '')
    .map(fold),
)

/** True for the name of a province or of a state, which is never the name of a party. */
export const isPlaceName = (text: string): boolean =>
  foreignCountry(text) !== null ||
  names.has(
    fold(text)
      .replace(/[().,]/g, '')
      .trim(),
  )

/** The province of a Spanish postal code, null when there is none with its first two digits. */
export function provinceOf(postalCode: string): string | null {
  if (!/^\d{5}$/.test(postalCode)) return null
  return provinces[Number(postalCode.slice(0, 2))] || null
}
