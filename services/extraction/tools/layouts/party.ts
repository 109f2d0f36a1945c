import type { Chance } from './chance.ts'

export interface Party {
  name: string
  vat: string
  street: string
  postal: string
  city: string
  province: string
  phone: string
  mail: string
  registry: string
  person: boolean
}

const places: readonly (readonly [string, string, string])[] = [
  ['28', 'Madrid', 'Madrid'],
  ['28', 'Alcobendas', 'Madrid'],
  ['28', 'San Sebastián de los Reyes', 'Madrid'],
  ['08', 'Barcelona', 'Barcelona'],
  ['08', "L'Hospitalet de Llobregat", 'Barcelona'],
  ['08', 'Sant Cugat del Vallès', 'Barcelona'],
  ['17', 'Girona', 'Girona'],
  ['43', 'Reus', 'Tarragona'],
  ['46', 'València', 'Valencia'],
  ['46', 'Paterna', 'Valencia'],
  ['12', 'Vila-real', 'Castellón'],
  ['03', 'Elche', 'Alicante'],
  ['30', 'Molina de Segura', 'Murcia'],
  ['41', 'Dos Hermanas', 'Sevilla'],
  ['29', 'Vélez-Málaga', 'Málaga'],
  ['18', 'Granada', 'Granada'],
  ['11', 'Jerez de la Frontera', 'Cádiz'],
  ['14', 'Lucena', 'Córdoba'],
  ['50', 'Zaragoza', 'Zaragoza'],
  ['31', 'Tudela', 'Navarra'],
  ['26', 'Logroño', 'La Rioja'],
  ['48', 'Barakaldo', 'Bizkaia'],
  ['20', 'Donostia', 'Gipuzkoa'],
  ['01', 'Vitoria-Gasteiz', 'Álava'],
  ['39', 'Torrelavega', 'Cantabria'],
  ['33', 'Gijón', 'Asturias'],
  ['15', 'A Coruña', 'A Coruña'],
  ['36', 'Vigo', 'Pontevedra'],
  ['24', 'Ponferrada', 'León'],
  ['47', 'Valladolid', 'Valladolid'],
  ['45', 'Talavera de la Reina', 'Toledo'],
  ['06', 'Mérida', 'Badajoz'],
  ['07', 'Palma', 'Illes Balears'],
]
const canary: readonly (readonly [string, string, string])[] = [
  ['35', 'Las Palmas de Gran Canaria', 'Las Palmas'],
  ['35', 'Telde', 'Las Palmas'],
  ['38', 'Santa Cruz de Tenerife', 'Santa Cruz de Tenerife'],
  ['38', 'San Cristóbal de La Laguna', 'Santa Cruz de Tenerife'],
]
const first = [
  'Aitana',
  'Bernat',
  'Consuelo',
  'Dámaso',
  'Encarnación',
  'Fermín',
  'Gemma',
  'Hugo',
  'Iria',
  'Joaquín',
  'María José',
  'Luis Alberto',
  'Nerea',
  'Óscar',
  'Pilar',
  'Ruth',
  'Sebastián',
  'Xavier',
  'Yolanda',
]
const last = [
  'Abascal',
  'Bermúdez',
  'Carrión',
  'Dopico',
  'Etxeberria',
  'Ferrándiz',
  'Galindo',
  'Hinojosa',
  'Iriarte',
  'Jurado',
  'Lacasa',
  'Montesinos',
  'Nogueira',
  'Ordóñez',
  'Palacios',
  'Quesada',
  'Riquelme',
  'Sanchis',
  'Tejedor',
  'Ulloa',
  'Vilanova',
  'Yebra',
  'Zubiri',
  'de la Peña',
  'del Olmo',
]
const words = [
  'Tramontana',
  'Quercus',
  'Alborada',
  'Ebronor',
  'Magna',
  'Solterra',
  'Nexia',
  'Vértice',
  'Lumbre',
  'Iberdisa',
  'Norvial',
  'Talaia',
  'Brisamar',
  'Garbí',
  'Atalaya',
  'Rocafort',
  'Kantauri',
  'Xaloc',
  'Orión',
  'Cierzo',
]
const streets = [
  'Mayor',
  'de Alcalá',
  'Real',
  'San Vicente Mártir',
  'del Carmen',
  'Gran Capitán',
  'de la Constitución',
  'Reyes Católicos',
  'Doctor Fleming',
  'Ramón y Cajal',
  "d'Aragó",
  'de Colón',
  'Marqués de Larios',
  'de la Libertad',
  'Sierra Nevada',
  'Severo Ochoa',
  'Isaac Peral',
  '8 de Marzo',
  'Tres Cruces',
  'José Ortega y Gasset',
]

const letters = 'TRWAGMYFPDXBNJZSQVHLCKE'

export function personId(chance: Chance): string {
  if (chance.yes(0.1)) {
    const digits = chance.digits(7)
    const kind = chance.int(0, 2)
    return `${'XYZ'[kind]}${digits}${letters[Number(`${kind}${digits}`) % 23]}`
  }
  const digits = chance.digits(8)
  return `${digits}${letters[Number(digits) % 23]}`
}

export function companyId(chance: Chance, letter: string): string {
  const digits = `${chance.pick(['08', '28', '46', '41', '50', '48', '15', '85', '66', '87'])}${chance.digits(5)}`
  let sum = 0
  for (const [index, sign] of [...digits].entries()) {
    const value = Number(sign) * (index % 2 === 0 ? 2 : 1)
    sum += Math.floor(value / 10) + (value % 10)
  }
  const control = (10 - (sum % 10)) % 10
  return `${letter}${digits}${'PQRSNW'.includes(letter) ? 'JABCDEFGHI'[control] : control}`
}

export function iban(chance: Chance): string {
  const bank = chance.pick(['2100', '0049', '0182', '2085', '3058', '0081', '1465', '2080', '2095', '0128'])
  const branch = chance.digits(4)
  const account = chance.digits(10)
  const weights = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]
  const control = (text: string): number => {
    const sum = [...text.padStart(10, '0')].reduce(
      (total, sign, index) => total + Number(sign) * (weights[index] ?? 0),
      0,
    )
    const rest = 11 - (sum % 11)
    return rest === 11 ? 0 : rest === 10 ? 1 : rest
  }
  const ccc = `${bank}${branch}${control(`${bank}${branch}`)}${control(account)}${account}`
  const check = 98n - (BigInt(`${ccc}142800`) % 97n)
  return `ES${String(check).padStart(2, '0')}${ccc}`
}

export interface PartyWish {
  person?: boolean
  names?: readonly string[]
  canary?: boolean
  public?: boolean
}

export function makeParty(chance: Chance, wish: PartyWish = {}): Party {
  const [prefix, city, province] = chance.pick(wish.canary ? canary : places)
  const person = wish.person ?? false
  const [name, vat] = person
    ? [`${chance.pick(first)} ${chance.pick(last)} ${chance.pick(last)}`, personId(chance)]
    : wish.public
      ? publicBody(chance, city)
      : company(
          chance,
          wish.names ?? [
            'Comercial',
            'Grupo',
            'Suministros',
            'Gestión',
            'Ingeniería',
            'Promociones',
            'Inversiones',
            'Logística',
          ],
        )
  const kind = chance.pick([
    'C/ ',
    'Calle ',
    'Avda. ',
    'Avenida ',
    'Plaza ',
    'Paseo ',
    'Ctra. ',
    'Pol. Ind. ',
    'Ronda ',
  ])
  const number = chance.pick([
    `, ${chance.int(1, 240)}`,
    ` ${chance.int(1, 90)}`,
    `, nº ${chance.int(1, 60)}`,
    `, ${chance.int(1, 80)} - ${chance.int(1, 9)}º ${chance.pick(['A', 'B', 'izda.', 'dcha.'])}`,
    `, ${chance.int(2, 30)}, bajo`,
    ', s/n',
  ])
  const street =
    kind === 'Pol. Ind. '
      ? `Pol. Ind. ${chance.pick(['Las Atalayas', 'El Viso', 'Can Roca', 'La Mora', 'Malpica'])}, ${chance.pick(['nave', 'parcela'])} ${chance.int(1, 60)}`
      : `${kind}${chance.pick(streets)}${number}`
  const domain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
    .slice(0, 14)
  return {
    name,
    vat,
    street,
    postal: `${prefix}${String(chance.int(1, 899)).padStart(3, '0')}`,
    city,
    province,
    phone: `${chance.pick(['91', '93', '96', '95', '94', '98'])}${chance.int(1, 9)} ${chance.digits(3)} ${chance.digits(3)}`,
    mail: `${chance.pick(['info', 'administracion', 'facturas', 'hola'])}@${domain}.${chance.pick(['es', 'com', 'cat', 'eu'])}`,
    registry: `Inscrita en el Registro Mercantil de ${province}, Tomo ${chance.int(100, 45000)}, Folio ${chance.int(1, 220)}, Hoja ${chance.pick(['M', 'B', 'V', 'SE'])}-${chance.digits(5)}, Inscripción ${chance.int(1, 9)}ª`,
    person,
  }
}

function company(chance: Chance, names: readonly string[]): [string, string] {
  const [form, letter] = chance.pick([
    [', S.L.', 'B'],
    [' S.L.', 'B'],
    [' SL', 'B'],
    [', S.L.U.', 'B'],
    [', S.A.', 'A'],
    [' S.A.', 'A'],
    [' SA', 'A'],
    [', S.A.U.', 'A'],
    [' S.L.P.', 'B'],
    [', S. Coop.', 'F'],
    [', C.B.', 'E'],
    [' Sociedad Limitada', 'B'],
  ] as const)
  const core = chance.pick([
    () => `${chance.pick(names)} ${chance.pick(words)}`,
    () => `${chance.pick(words)} ${chance.pick(names)}`,
    () => `${chance.pick(names)} ${chance.pick(last)} e Hijos`,
    () => `${chance.pick(last)} & ${chance.pick(last)} ${chance.pick(names)}`,
    () => `${chance.pick(words)} ${chance.int(20, 99)}`,
    () => `${chance.pick(names)} de ${chance.pick(['Levante', 'Aragón', 'Castilla', 'la Vega', 'Galicia'])}`,
  ])()
  const name = `${core}${form}`
  return [chance.yes(0.35) ? name.toUpperCase() : name, companyId(chance, letter)]
}

function publicBody(chance: Chance, city: string): [string, string] {
  return chance.pick([
    () => [`Ayuntamiento de ${city}`, companyId(chance, 'P')] as [string, string],
    () =>
      [`Comunidad de Propietarios ${chance.pick(streets)} ${chance.int(2, 90)}`, companyId(chance, 'H')] as [
        string,
        string,
      ],
    () => [`Fundación ${chance.pick(words)}`, companyId(chance, 'G')] as [string, string],
    () => [`Asociación Vecinal ${chance.pick(words)}`, companyId(chance, 'G')] as [string, string],
  ])()
}
