/**
 * What the columns of a bank's CSV are called, and which bank calls them so. The names are matched folded: lower case,
 * no accents, no punctuation, without the currency (`IMPORTE (€)`, `Importe EUR` and `importe` are one).
 *
 * Sources: the exports of the banks' own sites, as their customers describe and publish them.
 */
import { type Bank, banks, type CsvMapping } from './statement.ts'

type Role = 'date' | 'valueDate' | 'description' | 'amount' | 'debit' | 'credit' | 'balance' | 'currency' | 'reference'

/** Names as {@link roleName} gives them. */
const roleNames: Record<Role, readonly string[]> = {
  date: [
    'fecha',
    'fecha operacion',
    'fecha oper',
    'fecha operativa',
    'fecha contable',
    'fecha movimiento',
    'fecha apunte',
    'data',
    'data operacio',
    'date',
    'booking date',
    'completed date',
  ],
  valueDate: ['fecha valor', 'data valor', 'value date'],
  description: [
    'concepto',
    'concepto ampliado',
    'descripcion',
    'movimiento',
    'mas datos',
    'observaciones',
    'detalle',
    'comentario',
    'informacion adicional',
    'concepte',
    'description',
    'kontzeptua',
  ],
  amount: ['importe', 'cantidad', 'import', 'amount', 'zenbatekoa'],
  debit: ['debe', 'cargo', 'cargos', 'gasto', 'gastos', 'adeudo', 'adeudos', 'salidas', 'pagos', 'debit'],
  credit: ['haber', 'abono', 'abonos', 'ingreso', 'ingresos', 'entradas', 'cobros', 'credit'],
  balance: ['saldo', 'disponible', 'balance', 'saldoa'],
  currency: ['divisa', 'moneda', 'currency'],
  reference: ['referencia', 'referencia 1', 'n mov', 'numero movimiento', 'num movimiento', 'n documento', 'reference'],
}

/** For names that say more (`Importe del movimiento`, `Fecha de contabilización`), where no column has the plain one. */
const rolePatterns: readonly [Role, RegExp][] = [
  ['valueDate', /^fecha valor\b/],
  ['date', /^fecha (oper|contab|mov|apunte|transac|registro)/],
  ['description', /^(concepto (complementario|comun|propio|oper)|descripcion|detalle|texto)\b/],
  ['amount', /^importe (movimiento|operacion|apunte|neto)\b/],
  ['balance', /^saldo\b/],
]

const roleByName = new Map(
  (Object.entries(roleNames) as [Role, readonly string[]][]).flatMap(([role, names]) =>
    names.map((name) => [name, role] as const),
  ),
)

/** The layouts of each bank: a header that begins with these columns is that bank's. */
export const bankLayouts: readonly { bank: Bank; header: readonly string[] }[] = [
  { bank: 'santander', header: ['fecha operacion', 'fecha valor', 'concepto', 'importe', 'saldo'] },
  { bank: 'santander', header: ['fecha operacion', 'fecha valor', 'concepto', 'importe', 'divisa', 'saldo'] },
  { bank: 'bbva', header: ['f valor', 'fecha', 'concepto', 'movimiento', 'importe'] },
  { bank: 'bbva', header: ['fecha', 'f valor', 'concepto', 'movimiento', 'importe'] },
  { bank: 'bbva', header: ['fecha', 'concepto', 'movimiento', 'importe', 'divisa'] },
  { bank: 'caixabank', header: ['fecha', 'fecha valor', 'movimiento', 'mas datos', 'importe', 'saldo'] },
  { bank: 'caixabank', header: ['fecha', 'fecha valor', 'concepto', 'mas datos', 'importe', 'saldo'] },
  { bank: 'caixabank', header: ['concepto', 'fecha', 'importe', 'saldo'] },
  {
    bank: 'caixabank',
    header: ['numero de cuenta', 'oficina', 'divisa', 'f operacion', 'f valor', 'ingreso', 'gasto'],
  },
  { bank: 'sabadell', header: ['f operativa', 'concepto', 'f valor', 'importe', 'saldo'] },
  { bank: 'sabadell', header: ['fecha operativa', 'concepto', 'fecha valor', 'importe', 'saldo'] },
  { bank: 'sabadell', header: ['fecha oper', 'fecha valor', 'concepto', 'importe'] },
  { bank: 'sabadell', header: ['fecha oper', 'concepto', 'fecha valor', 'importe', 'saldo'] },
  { bank: 'bankinter', header: ['fecha contable', 'fecha valor', 'descripcion', 'importe', 'saldo'] },
  { bank: 'bankinter', header: ['fecha', 'fecha valor', 'descripcion', 'debe', 'haber', 'saldo'] },
  { bank: 'bankinter', header: ['fecha contable', 'fecha valor', 'descripcion', 'debe', 'haber', 'saldo'] },
  { bank: 'ing', header: ['f valor', 'categoria', 'subcategoria', 'descripcion'] },
  { bank: 'ing', header: ['fecha valor', 'categoria', 'subcategoria', 'descripcion'] },
  { bank: 'unicaja', header: ['fecha de operacion', 'fecha de valor', 'concepto', 'importe'] },
  { bank: 'unicaja', header: ['fecha operacion', 'fecha valor', 'importe', 'concepto'] },
  { bank: 'kutxabank', header: ['fecha', 'concepto', 'fecha valor', 'importe', 'saldo'] },
  { bank: 'kutxabank', header: ['data', 'kontzeptua', 'data valor', 'zenbatekoa', 'saldoa'] },
]

/** Entity codes of the Banco de España's register, the first four digits of a Spanish account. */
const entityCodes: Record<string, Bank> = {
  '0049': 'santander',
  '0182': 'bbva',
  '2100': 'caixabank',
  '0081': 'sabadell',
  '0128': 'bankinter',
  '1465': 'ing',
  '2103': 'unicaja',
  '2095': 'kutxabank',
}

export const foldHeader = (cell: string): string =>
  cell
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(/\b(eur|euros?)\b/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** What a header says of its columns; roles that it does not name are absent. */
export function columnsOf(header: readonly string[]): Partial<CsvMapping> {
  const names = header.map(roleName)
  const plain = (role: Role): number[] => places(names, (name) => roleByName.get(name) === role)
  const found = (role: Role): number[] => {
    const exact = plain(role)
    const pattern = rolePatterns.find(([each]) => each === role)?.[1]
    if (pattern === undefined || (exact.length > 0 && role !== 'description')) return exact
    const longer = places(names, (name) => !roleByName.has(name) && pattern.test(name))
    return [...exact, ...longer].sort((a, b) => a - b)
  }
  const first = (role: Role): number | undefined => found(role)[0]
  const date = first('date') ?? first('valueDate')
  const amounts = found('amount')
  return {
    ...(date === undefined ? {} : { date }),
    valueDate: first('valueDate'),
    description: found('description'),
    amount: amounts.length > 1 ? undefined : amounts[0],
    debit: first('debit'),
    credit: first('credit'),
    balance: first('balance'),
    currency: first('currency'),
    reference: first('reference'),
  }
}

const places = (names: readonly string[], fits: (name: string) => boolean): number[] =>
  names.flatMap((name, at) => (fits(name) ? [at] : []))

/** A folded name with `F.`, `Fec.` written out and without articles: `F. de Valor` is `fecha valor`. */
const roleName = (cell: string): string =>
  foldHeader(cell)
    .replace(/^(f|fec|fch) /, 'fecha ')
    .replace(/ (de|del|la|el)(?= )/g, '')

/** True when nothing is missing: a date, a description, and an amount or both of debit and credit. */
export const isComplete = (mapping: Partial<CsvMapping>): mapping is CsvMapping =>
  mapping.date !== undefined &&
  (mapping.description?.length ?? 0) > 0 &&
  (isColumn(mapping.amount) || (isColumn(mapping.debit) && isColumn(mapping.credit)))

const isColumn = (column: number | null | undefined): column is number => column !== null && column !== undefined

/** The bank that an account (IBAN or CCC) belongs to. */
export function bankOfAccount(account: string | null): Bank | null {
  const digits = account?.replace(/\D/g, '') ?? ''
  const ccc = account?.toUpperCase().startsWith('ES') ? digits.slice(2) : digits
  return entityCodes[ccc.slice(0, 4)] ?? null
}

/** The bank whose layout a header is: the longest that fits. */
export function bankOfHeader(header: readonly string[]): Bank | null {
  const names = header.map(foldHeader).filter((name) => name !== '')
  const fitting = bankLayouts.filter((layout) => layout.header.every((name, at) => names[at] === name))
  return fitting.sort((a, b) => b.header.length - a.header.length)[0]?.bank ?? null
}

/** The bank that a preamble names in words. */
export function bankOfText(text: string): Bank | null {
  const names = new Set(foldHeader(text).split(' '))
  return banks.find((bank) => names.has(bank)) ?? null
}
