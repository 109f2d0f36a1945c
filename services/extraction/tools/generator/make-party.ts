import type { Party } from './invoice.ts'
import {
  type City,
  catalanStreetKinds,
  cities,
  galicianStreetKinds,
  houseDetails,
  industrialEstates,
  streetKinds,
  streetNames,
} from './places.ts'
import type { Random } from './random.ts'
import { companyTaxId, personTaxId } from './tax-ids.ts'
import { givenNames, inventedWords, surnames, type Trade, trades } from './trades.ts'

interface PartyOptions {
  trade?: Trade
  person?: boolean
}

/** Legal forms with the first letter of their tax ids (Orden EHA/451/2008). */
const forms = [
  ['S.L.', 'B', 46],
  ['SL', 'B', 12],
  ['S.A.', 'A', 14],
  ['S.L.U.', 'B', 10],
  ['SLU', 'B', 3],
  ['S.L.P.', 'B', 3],
  ['S.A.U.', 'A', 3],
  ['C.B.', 'E', 4],
  ['S.C.', 'J', 2],
  ['S.Coop.', 'F', 3],
  ['Sociedad Limitada', 'B', 2],
] as const

export function makeParty(random: Random, { trade, person = false }: PartyOptions): { party: Party; city: City } {
  const city = random.pick(cities)
  const isPerson = person
  const institution = trade === undefined && !person && random.chance(0.12)
  const { name, letter } = isPerson
    ? { name: personName(random), letter: '' }
    : institution
      ? institutionName(random, city)
      : companyName(random, trade ?? random.pick(trades))
  const domain = `${name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
    .slice(0, 14)}.es`
  return {
    city,
    party: {
      name,
      taxId: isPerson ? personTaxId(random) : companyTaxId(random, letter),
      isPerson,
      street: makeStreet(random, city),
      postalCode: `${city.postalPrefix}${String(random.int(1, 60)).padStart(2, '0')}`.slice(0, 5),
      city: city.name,
      province: city.province,
      phone: `${random.pick(['9', '6'])}${random.digits(2)} ${random.digits(3)} ${random.digits(3)}`,
      email: `${random.pick(['info', 'admin', 'facturacion', 'hola', 'contacto'])}@${domain}`,
    },
  }
}

const personName = (random: Random): string =>
  `${random.pick(givenNames)} ${random.pick(surnames)} ${random.pick(surnames)}`

function companyName(random: Random, trade: Trade): { name: string; letter: string } {
  const [form, letter] = random.weighted(
    forms.map(([form, letter, weight]) => [[form, letter] as const, weight] as const),
  )
  const kind = random.pick(trade.names)
  const core = random.pick([
    `${kind} ${random.pick(inventedWords)}`,
    `${kind} ${random.pick(surnames)}`,
    `${random.pick(inventedWords)} ${kind}`,
    `${kind} ${random.pick(surnames)} e Hijos`,
    `Hermanos ${random.pick(surnames)}`,
    `${random.pick(surnames)} y ${random.pick(surnames)}`,
    `${random.pick(inventedWords)} ${random.pick(['Ibérica', 'Global', 'Group', 'del Norte', '2000', 'XXI', 'España'])}`,
    `${kind} ${random.pick(['del Sur', 'La Estrella', 'San Roque', 'Hnos. Pardo', 'J. Núñez', 'Aragón'])}`,
  ])
  const name = `${core}${random.pick([', ', ' '])}${form}`
  return { name: random.chance(0.25) ? name.toUpperCase() : name, letter }
}

function institutionName(random: Random, city: City): { name: string; letter: string } {
  return random.pick([
    { name: `Ayuntamiento de ${city.name}`, letter: 'P' },
    { name: `Asociación Cultural ${random.pick(inventedWords)}`, letter: 'G' },
    { name: `Comunidad de Propietarios ${random.pick(streetNames)} ${random.int(2, 80)}`, letter: 'H' },
    { name: `Fundación ${random.pick(inventedWords)}`, letter: 'G' },
    { name: `Universidad de ${city.province}`, letter: 'Q' },
  ])
}

function makeStreet(random: Random, city: City): string {
  if (random.chance(0.15))
    return `${random.pick(industrialEstates)}, ${random.pick(['nave', 'parcela', 'C/ B nº', 'calle 3, nº'])} ${random.int(1, 60)}`
  const kinds = city.language === 'ca' ? catalanStreetKinds : city.language === 'gl' ? galicianStreetKinds : streetKinds
  const number = random.weighted([
    [`, ${random.int(1, 180)}`, 70],
    [` ${random.int(1, 180)}`, 15],
    [`, nº ${random.int(1, 90)}`, 10],
    [', s/n', 5],
  ] as const)
  return `${random.pick(kinds)} ${random.pick(streetNames)}${number}${random.pick(houseDetails)}`
}
