import type { FontFamily } from './canvas.ts'

/**
 * A family of layouts: which building blocks a document is put together from. Families of the blind part use blocks,
 * fonts and words that no development family uses, so that a figure measured on them tells about unseen documents.
 */
export interface Family {
  id: string
  header: 'left' | 'centered' | 'band' | 'right' | 'name-only' | 'one-line'
  buyer: 'box-right' | 'left' | 'columns' | 'rows' | 'window'
  meta: 'list' | 'strip' | 'title-line' | 'stacked' | 'cells' | 'sentence'
  table: 'ruled' | 'grid' | 'zebra' | 'plain' | 'row-lines' | 'inverse' | 'two-line'
  columns: readonly (readonly Column[])[]
  totals: 'right-list' | 'rate-table' | 'strip' | 'left-list' | 'cells' | 'inline-rates'
  payment: 'below' | 'footer' | 'beside'
  fonts: readonly FontFamily[]
  words: 'first' | 'last'
}

export type Column = 'reference' | 'description' | 'quantity' | 'unitPrice' | 'discount' | 'taxRate' | 'lineTotal'

const usual: readonly Column[] = ['description', 'quantity', 'unitPrice', 'lineTotal']
const quantityFirst: readonly Column[] = ['quantity', 'description', 'unitPrice', 'lineTotal']
const withTax: readonly Column[] = ['description', 'quantity', 'unitPrice', 'taxRate', 'lineTotal']
const full: readonly Column[] = [
  'reference',
  'description',
  'quantity',
  'unitPrice',
  'discount',
  'taxRate',
  'lineTotal',
]
const coded: readonly Column[] = ['reference', 'description', 'quantity', 'unitPrice', 'lineTotal']
const bare: readonly Column[] = ['description', 'lineTotal']
const taxFirst: readonly Column[] = ['taxRate', 'description', 'quantity', 'unitPrice', 'lineTotal']
const codeAfter: readonly Column[] = ['quantity', 'reference', 'description', 'unitPrice', 'discount', 'lineTotal']
const priceFirst: readonly Column[] = ['description', 'unitPrice', 'quantity', 'lineTotal']
const taxLast: readonly Column[] = ['description', 'quantity', 'unitPrice', 'lineTotal', 'taxRate']

const sans: readonly FontFamily[] = ['helvetica', 'roboto', 'open-sans']
const mixed: readonly FontFamily[] = ['helvetica', 'times', 'courier', 'roboto', 'open-sans', 'montserrat']
const unseen: readonly FontFamily[] = [
  'lato',
  'pt-serif',
  'space-mono',
  'barlow-condensed',
  'merriweather',
  'helvetica',
]

type Row = [
  Family['header'],
  Family['buyer'],
  Family['meta'],
  Family['table'],
  Family['columns'],
  Family['totals'],
  Family['payment'],
  Family['fonts'],
]

const devRows: readonly Row[] = [
  ['left', 'box-right', 'list', 'ruled', [usual, withTax], 'right-list', 'below', sans],
  ['left', 'columns', 'strip', 'grid', [full, coded], 'rate-table', 'footer', mixed],
  ['centered', 'left', 'title-line', 'plain', [usual, bare], 'right-list', 'below', mixed],
  ['band', 'columns', 'list', 'zebra', [withTax, usual], 'right-list', 'footer', sans],
  ['right', 'left', 'list', 'ruled', [quantityFirst, usual], 'strip', 'below', mixed],
  ['left', 'left', 'strip', 'grid', [withTax, quantityFirst], 'strip', 'beside', mixed],
  ['band', 'box-right', 'title-line', 'zebra', [coded, usual], 'rate-table', 'below', sans],
  ['centered', 'columns', 'strip', 'ruled', [full, withTax], 'rate-table', 'beside', mixed],
  ['right', 'columns', 'title-line', 'plain', [usual, quantityFirst], 'right-list', 'footer', mixed],
  ['left', 'box-right', 'strip', 'zebra', [coded, full], 'strip', 'footer', sans],
  ['right', 'box-right', 'list', 'grid', [quantityFirst, coded], 'rate-table', 'below', mixed],
  ['band', 'left', 'strip', 'plain', [bare, usual], 'right-list', 'beside', sans],
]

const blindRows: readonly Row[] = [
  ['name-only', 'rows', 'stacked', 'row-lines', [priceFirst, taxFirst], 'inline-rates', 'footer', unseen],
  ['one-line', 'window', 'cells', 'inverse', [codeAfter, taxLast], 'cells', 'below', unseen],
  ['name-only', 'window', 'sentence', 'two-line', [bare, priceFirst], 'left-list', 'below', unseen],
  ['one-line', 'rows', 'stacked', 'inverse', [taxFirst, codeAfter], 'inline-rates', 'beside', unseen],
  ['centered', 'rows', 'cells', 'row-lines', [taxLast, priceFirst], 'cells', 'footer', unseen],
  ['right', 'window', 'sentence', 'inverse', [codeAfter, bare], 'inline-rates', 'below', unseen],
  ['left', 'rows', 'cells', 'two-line', [priceFirst, taxLast], 'left-list', 'footer', unseen],
  ['band', 'window', 'stacked', 'row-lines', [taxFirst, priceFirst], 'cells', 'beside', unseen],
]

const toFamily =
  (prefix: string, words: Family['words']) =>
  ([header, buyer, meta, table, columns, totals, payment, fonts]: Row, index: number): Family => ({
    id: `${prefix}${String(index + 1).padStart(2, '0')}`,
    header,
    buyer,
    meta,
    table,
    columns,
    totals,
    payment,
    fonts,
    words,
  })

export const families: Record<'dev' | 'blind', readonly Family[]> = {
  dev: devRows.map(toFamily('dev', 'first')),
  blind: blindRows.map(toFamily('blind', 'last')),
}
