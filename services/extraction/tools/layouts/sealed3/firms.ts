import type { Chance } from '../chance.ts'
import { companyId, type Party, personId } from '../party.ts'

/** Names and places of the documents of this part; a name's letter is that of its tax id, `-` a person's. */
type Named = readonly [name: string, letter: string]

const regions = {
  es: {
    streets: [
      'Avda. de los Descubrimientos, 11',
      'C/ Arcipreste de Hita 4, 2º C',
      'Plaza de San Marcelo, 9',
      'Camino Viejo de Simancas, km 3,5',
      'Glorieta de Bilbao 1',
      'Polígono Industrial El Nevero, parcela 14-B',
      'Travesía del Horno, s/n',
    ],
    towns: [
      ['06006', 'Badajoz', 'Badajoz'],
      ['24003', 'León', 'León'],
      ['28820', 'Coslada', 'Madrid'],
      ['37008', 'Salamanca', 'Salamanca'],
      ['41927', 'Mairena del Aljarafe', 'Sevilla'],
      ['02006', 'Albacete', 'Albacete'],
      ['30203', 'Cartagena', 'Murcia'],
    ],
  },
  ca: {
    streets: [
      'Carrer de Pau Claris, 138, entl. 2a',
      'Rambla Nova, 77',
      'Passeig de la Pau, 4',
      'Carrer Nou, 21 baixos',
      'Polígon Industrial Pla de Santa Anna, nau 6',
    ],
    towns: [
      ['08009', 'Barcelona', 'Barcelona'],
      ['43003', 'Tarragona', 'Tarragona'],
      ['17800', 'Olot', 'Girona'],
      ['25007', 'Lleida', 'Lleida'],
      ['08500', 'Vic', 'Barcelona'],
    ],
  },
  eu: {
    streets: [
      'Urbieta kalea, 31',
      'Askatasunaren etorbidea, 12',
      'Zubiaurre pasealekua 5',
      'Industrialdea, 8. pabiloia',
    ],
    towns: [
      ['20006', 'Donostia', 'Gipuzkoa'],
      ['48200', 'Durango', 'Bizkaia'],
      ['20600', 'Eibar', 'Gipuzkoa'],
      ['01400', 'Laudio', 'Araba'],
    ],
  },
  gl: {
    streets: ['Rúa do Vilar, 46', 'Lugar de Outeiro, 7', 'Avda. da Mariña, 15', 'Praza do Campo, 2'],
    towns: [
      ['15705', 'Santiago de Compostela', 'A Coruña'],
      ['27003', 'Lugo', 'Lugo'],
      ['32005', 'Ourense', 'Ourense'],
      ['36500', 'Lalín', 'Pontevedra'],
    ],
  },
  ceuta: {
    streets: ['Calle Real, 63', 'Paseo del Revellín, 20', 'Polígono Alborán, nave 17', 'Calle Independencia, 3'],
    towns: [
      ['51001', 'Ceuta', 'Ceuta'],
      ['51002', 'Ceuta', 'Ceuta'],
    ],
  },
  canary: {
    streets: [
      'Calle León y Castillo, 274',
      'Avda. Tres de Mayo 18',
      'Calle El Pilar, 9',
      'Urb. Industrial El Mayorazgo, parcela 22',
    ],
    towns: [
      ['35005', 'Las Palmas de Gran Canaria', 'Las Palmas'],
      ['38005', 'Santa Cruz de Tenerife', 'Santa Cruz de Tenerife'],
      ['35500', 'Arrecife', 'Las Palmas'],
      ['38300', 'La Orotava', 'Santa Cruz de Tenerife'],
    ],
  },
} as const
export type Region = keyof typeof regions

/** Buyers of every legal form. */
export const clients: readonly Named[] = [
  ['Obrador Nuestra Señora del Puy, S.R.C.', 'J'],
  ['IES Gonzalo de Berceo', 'S'],
  ['Parroquia de San Andrés Apóstol', 'R'],
  ['Gestora Ambiental Umbría, S.L.', 'B'],
  ['UTE Ronda Norte Fase II', 'U'],
  ['MECANIZADOS OLAZA, S.A.L.', 'A'],
  ['Colegio Oficial de Aparejadores', 'Q'],
  ['Vda. de Cipriano Rueda e Hijos, S.L.', 'B'],
  ['Clínica Veterinaria Bosco, C.B.', 'E'],
  ['Federación Comarcal de Comercio', 'G'],
  ['Kilómetro Cero Eventos S.L.U.', 'B'],
  ['AGROPECUARIA EL HIGUERAL, S.A.T.', 'V'],
  ['Martina Castellanos Pozo', '-'],
  ['Abel Rozas Villacampa', '-'],
  ['C.P. Edificio Las Torres', 'H'],
  ['Excmo. Ayuntamiento de Villaluenga', 'P'],
]

/** Makes a party one of these names, in a place of the region. */
export function become(party: Party | null, chance: Chance, names: readonly Named[], region: Region = 'es'): void {
  if (party === null) return
  const [name, letter] = chance.pick(names)
  const [postal, city, province] = chance.pick<readonly [string, string, string]>(regions[region].towns)
  const host = name
    .normalize('NFKD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
    .slice(0, 11)
  Object.assign(party, {
    name,
    city,
    province,
    postal,
    vat: letter === '-' ? personId(chance) : companyId(chance, letter),
    street: chance.pick<string>(regions[region].streets),
    mail: `${chance.pick(['contabilidad', 'oficina', 'clientes'])}@${host}.example`,
    registry: `Reg. Merc. de ${province}, T. ${chance.digits(4)}, L. 0, F. ${chance.int(1, 220)}, H. ${chance.digits(5)}, I/A 1`,
    person: letter === '-',
  })
}
