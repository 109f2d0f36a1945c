import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dateOfDay } from '../../src/domain/bank/day-number.ts'
import { readStatement } from '../../src/domain/statements/read-statement.ts'
import type { Bank, CsvMapping } from '../../src/domain/statements/statement.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))

const brief = (bytes: Uint8Array) => {
  const statement = readStatement(bytes)
  return {
    bank: statement.bank,
    rows: statement.movements.map((each) => [each.date, each.amountCents, each.description, each.balanceCents]),
    errors: statement.errors.map((each) => [each.line, each.code]),
  }
}

describe('the layouts of the Spanish banks', () => {
  const cases: [string, Bank, string[]][] = [
    [
      'Santander, with a preamble and the currency in the header',
      'santander',
      [
        'Movimientos de la cuenta',
        'IBAN;ES91 0049 1234 5021 2345 6789',
        '',
        'FECHA OPERACIÓN;FECHA VALOR;CONCEPTO;IMPORTE EUR;SALDO',
        '10/03/2026;11/03/2026;Transferencia de Talleres Núñez;1.210,00;5.210,50',
        '09/03/2026;09/03/2026;Recibo luz;-64,30;4.000,50',
      ],
    ],
    [
      'BBVA, with the concept in three columns and points for decimals',
      'bbva',
      [
        'Fecha de generación del informe: 22/03/2026',
        '',
        'F.Valor;Fecha;Concepto;Movimiento;Importe;Divisa;Disponible;Divisa;Observaciones',
        '11/03/2026;10/03/2026;Transferencia de;Talleres Núñez;1210;EUR;5210.50;EUR;TALLERES NÚÑEZ',
        '09/03/2026;09/03/2026;Recibo;luz;-64.3;EUR;4000.50;EUR;',
      ],
    ],
    [
      'CaixaBank, with the currency behind every amount',
      'caixabank',
      [
        'Tabla 1',
        'Importes expresados en euros',
        'Fecha;Fecha valor;Movimiento;Más datos;Importe;Saldo',
        '10/03/2026;11/03/2026;Transferencia de;Talleres Núñez;1.210,00EUR;5.210,50EUR',
        '09/03/2026;09/03/2026;Recibo luz;;-64,30EUR;4.000,50EUR',
      ],
    ],
    [
      'CaixaBank, four columns',
      'caixabank',
      [
        'Concepto;Fecha;Importe;Saldo',
        'Transferencia de Talleres Núñez;10/03/2026;+1.210,00;5.210,50',
        'Recibo luz;09/03/2026;-64,30;4.000,50',
      ],
    ],
    [
      'Sabadell, with a header',
      'sabadell',
      [
        'Consulta de movimientos;;;;;;',
        'Cuenta:;ES00 0081 2706 1500 0323 9635;;;;',
        'F. Operativa;Concepto;F. Valor;Importe;Saldo;Referencia 1;Referencia 2',
        '10/03/2026;Transferencia de Talleres Núñez;11/03/2026;"1.210,00";"5.210,50";;',
        '09/03/2026;Recibo luz;09/03/2026;"-64,30";"4.000,50";B62652805ZZZ;06354041',
      ],
    ],
    [
      'Sabadell, text with bars and no header',
      'sabadell',
      [
        '10/03/2026|Transferencia de Talleres Núñez|11/03/2026|1210.00|5210.50||',
        '09/03/2026|Recibo luz|09/03/2026|-64.30|4000.50|B62652805ZZZ|06354041',
      ],
    ],
    [
      'Bankinter, one amount',
      'bankinter',
      [
        'Fecha contable;Fecha valor;Descripción;Importe;Saldo;Divisa',
        '10/03/2026;11/03/2026;Transferencia de Talleres Núñez;1.210,00;5.210,50;EUR',
        '09/03/2026;09/03/2026;Recibo luz;-64,30;4.000,50;EUR',
      ],
    ],
    [
      'Bankinter, debit and credit apart',
      'bankinter',
      [
        'Fecha contable;Fecha valor;Descripción;Debe;Haber;Saldo',
        '10/03/2026;11/03/2026;Transferencia de Talleres Núñez;;1.210,00;5.210,50',
        '09/03/2026;09/03/2026;Recibo luz;64,30;;4.000,50',
      ],
    ],
    [
      'ING, with categories and only a value date',
      'ing',
      [
        'Movimientos de la Cuenta;;  Número de cuenta:;1465 0100 9917 13407121;;;;',
        ';;  Fecha exportación:;12/03/2026 13:26h;;;;',
        'F. VALOR;CATEGORÍA;SUBCATEGORÍA;DESCRIPCIÓN;COMENTARIO;IMAGEN;IMPORTE (€);SALDO (€)',
        '10/03/2026;Ingresos;Otros;Transferencia de Talleres Núñez;;No;1.210,00;5.210,50',
        '09/03/2026;Hogar;Luz;Recibo luz;;No;-64,30;4.000,50',
      ],
    ],
    [
      'Unicaja',
      'unicaja',
      [
        'Fecha de operación;Fecha de valor;Concepto;Importe;Divisa;Saldo;Divisa;Nº mov;Oficina',
        '10/03/2026;11/03/2026;Transferencia de Talleres Núñez;1.210,00;EUR;5.210,50;EUR;17;0001',
        '09/03/2026;09/03/2026;Recibo luz;-64,30;EUR;4.000,50;EUR;16;0001',
      ],
    ],
    [
      'Kutxabank, with tabs',
      'kutxabank',
      [
        'fecha\tconcepto\tfecha valor\timporte\tsaldo',
        '10/03/2026\tTransferencia de Talleres Núñez\t11/03/2026\t1.210,00\t5.210,50',
        '09/03/2026\tRecibo luz\t09/03/2026\t-64,30\t4.000,50',
      ],
    ],
  ]
  const rows = [
    ['2026-03-10', 121000, 'Transferencia de Talleres Núñez', 521050],
    ['2026-03-09', -6430, 'Recibo luz', 400050],
  ]

  it.each(cases)('%s', (_title, bank, lines) => {
    expect(brief(utf8(lines.join('\n')))).toEqual({ bank, rows, errors: [] })
  })

  it.each(cases)('%s: the same in Latin-1, with a mark, and with Windows line ends', (_title, bank, lines) => {
    const ascii = lines.join('\r\n').replaceAll('€', 'EUR')
    expect(brief(latin1(ascii))).toEqual({ bank, rows, errors: [] })
    expect(brief(utf8(`\uFEFF${lines.join('\r\n')}`))).toEqual({ bank, rows, errors: [] })
    expect(brief(Uint8Array.from(Buffer.from(`\uFEFF${lines.join('\r\n')}`, 'utf16le')))).toEqual({
      bank,
      rows,
      errors: [],
    })
  })

  it('a header encoded twice is still understood', () => {
    const twice = Buffer.from(cases[2]?.[2].join('\n') ?? '', 'utf8').toString('latin1')
    expect(brief(utf8(twice))).toEqual({ bank: 'caixabank', rows, errors: [] })
  })
})

describe('other headers', () => {
  const cases: [string, string, string][] = [
    [
      'names that say more',
      'Fecha de contabilización;Fec. Valor;Descripción del movimiento;Importe del movimiento (€);Saldo tras',
      '05/03/2026;06/03/2026;Pan;-1,20;10,00',
    ],
    ['English', 'Date,Description,Amount,Currency,Balance', '2026-03-05,Pan,-1.20,EUR,10.00'],
    ['Catalan', 'Data;Data valor;Concepte;Import;Saldo', '05/03/2026;06/03/2026;Pan;-1,20;10,00'],
    ['capitals and blanks', ' FECHA OPERACION ; CONCEPTO ; DEBE ; HABER ; SALDO ', '05/03/2026;Pan;1,20;;10,00'],
  ]
  it.each(cases)('%s are understood', (_title, header, row) => {
    expect(brief(utf8(`${header}\n${row}`)).rows).toEqual([['2026-03-05', -120, 'Pan', 1000]])
  })

  it('with two amounts are not guessed', () => {
    expect(
      readStatement(utf8('Fecha;Concepto;Importe;Importe\n05/03/2026;Pan;-1,20;-1,30')).mappingRequest,
    ).not.toBeNull()
  })
})

describe('rows', () => {
  const read = (...rows: string[]) => brief(utf8(['Fecha;Concepto;Importe', ...rows].join('\n')))

  it('that are no movements are passed over: totals, blanks, notes', () => {
    expect(read('01/03/2026;Café;-1,20', '', ';;', 'Total;;-1,20', 'Saldo final a 31/03/2026')).toMatchObject({
      rows: [['2026-03-01', -120, 'Café', null]],
      errors: [],
    })
  })

  it('that cannot be read are errors with their line, and the others are kept', () => {
    const result = read(
      '31/02/2026;Imposible;-1,20',
      '01/03/2026;Café;doce',
      '01/03/2026;Nada;0,00',
      '02/03/2026;Pan;-2,00',
    )
    expect(result.errors).toEqual([
      [2, 'invalid_date'],
      [3, 'invalid_amount'],
      [4, 'zero_amount'],
    ])
    expect(result.rows).toEqual([['2026-03-02', -200, 'Pan', null]])
  })

  it('with quotes, delimiters inside quotes and stray quotes are read', () => {
    const result = read('01/03/2026;"Pan; y ""vino""";-1,20', '02/03/2026;Bar 5" Sol;-2,00')
    expect(result.rows.map((row) => row[2])).toEqual(['Pan; y "vino"', 'Bar 5" Sol'])
  })

  const forms: [string, number | null][] = [
    ['1.234,56', 123456],
    ['-1.234,56 €', -123456],
    ['1234,5', 123450],
    ['+12', 1200],
    ['12,30-', -1230],
    ['(12,30)', -1230],
    ['−12,30', -1230],
    ['1 234,56', 123456],
    ['49362.79', 4936279],
    ['1.234', 123400],
    ['12,345', null],
    ['1.23.456,00', null],
    ['--5', null],
    ['1e5', null],
    ['NaN', null],
  ]
  it.each(forms)('an amount %s', (text, amount) => {
    const result = read('01/03/2026;x;-0,01', `02/03/2026;y;${text}`)
    expect(result.rows[1]?.[1] ?? null).toBe(amount)
  })

  const dates: [string, string | null][] = [
    ['5/3/2026', '2026-03-05'],
    ['05-03-26', '2026-03-05'],
    ['05.03.2026', '2026-03-05'],
    ['2026-03-05', '2026-03-05'],
    ['20260305', '2026-03-05'],
    ['5 mar 2026', '2026-03-05'],
    ['5 de marzo de 2026', '2026-03-05'],
    ['05/03/2026 13:26', '2026-03-05'],
    ['2026-03-05T10:11:12Z', '2026-03-05'],
    ['29/02/2026', null],
    ['00/03/2026', null],
    ['05/13/2026', null],
  ]
  it.each(dates)('a date %s', (text, date) => {
    expect(read('31/01/2026;x;1,00', `${text};y;2,00`).rows[1]?.[0] ?? null).toBe(date)
  })

  it('of a file with the month first are understood by the days above 12', () => {
    expect(read('03/05/2026;x;1.00', '03/25/2026;y;2.00').rows.map((row) => row[0])).toEqual([
      '2026-03-05',
      '2026-03-25',
    ])
  })
})

describe('an unknown layout', () => {
  const file = utf8('Extracto\nDía;Qué;Cuánto\n05/03/2026;Pan;-1,20\n06/03/2026;Sueldo;1.000,00')

  it('asks for a mapping and shows what to choose from', () => {
    const statement = readStatement(file)
    expect(statement.movements).toEqual([])
    expect(statement.errors.map((each) => each.code)).toEqual(['mapping_needed'])
    expect(statement.mappingRequest).toMatchObject({
      delimiter: ';',
      columns: ['Día', 'Qué', 'Cuánto'],
      sample: [
        ['05/03/2026', 'Pan', '-1,20'],
        ['06/03/2026', 'Sueldo', '1.000,00'],
      ],
    })
  })

  it('is read with the mapping that was given, which the next file of that layout finds by its key', () => {
    const mapping: CsvMapping = { date: 0, description: [1], amount: 2 }
    const key = readStatement(file).mappingRequest?.layoutKey
    const next = utf8('Extracto de abril\nDía;Qué;Cuánto\n05/04/2026;Pan;-1,30')
    const statement = readStatement(next, { remembered: (asked) => (asked === key ? mapping : undefined) })
    expect(statement.movements.map((each) => [each.date, each.amountCents, each.description])).toEqual([
      ['2026-04-05', -130, 'Pan'],
    ])
  })

  it('refuses a mapping to a column that is not there', () => {
    const statement = readStatement(file, { remembered: () => ({ date: 0, description: [1], amount: 9 }) })
    expect(statement.errors.map((each) => each.code)).toEqual(['mapping_invalid'])
  })

  it('without a header numbers the columns', () => {
    const statement = readStatement(utf8('05/03/2026,Pan,-1.20\n06/03/2026,Sueldo,1000.00'))
    expect(statement.mappingRequest?.columns).toEqual(['Columna 1', 'Columna 2', 'Columna 3'])
    expect(statement.mappingRequest?.sample).toHaveLength(2)
  })
})

describe('what is no statement', () => {
  const cases: [string, Uint8Array, string][] = [
    ['nothing', new Uint8Array(), 'empty_file'],
    ['blanks', utf8(' \n\n'), 'empty_file'],
    ['a spreadsheet', utf8('PK\u0003\u0004rest'), 'unknown_format'],
    ['a PDF', utf8('%PDF-1.7'), 'unknown_format'],
    ['bytes', Uint8Array.of(1, 0, 2, 0, 3), 'unknown_format'],
    ['some other XML', utf8('<?xml version="1.0"?><a/>'), 'unknown_format'],
    ['prose', utf8('Hola, esto no es un extracto.'), 'mapping_needed'],
  ]
  it.each(cases)('%s is an error, not a crash', (_title, bytes, code) => {
    const statement = readStatement(bytes)
    expect(statement.errors.map((each) => each.code)).toEqual([code])
    expect(statement.movements).toEqual([])
  })

  it('any bytes give an answer', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 300 }).map(utf8)),
        (bytes) => {
          expect(readStatement(bytes).errors.every((each) => each.message.length > 0)).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('fingerprints', () => {
  const rows = ['05/03/2026;Pan;-1,20', '05/03/2026;Pan;-1,20', '04/03/2026;Vino;-9,00']
  const ids = (lines: readonly string[], account: string | null = null) =>
    readStatement(utf8(['Fecha;Concepto;Importe', ...lines].join('\n')), { account }).movements.map((each) => each.id)

  it('tell two equal movements of one day apart', () => {
    expect(new Set(ids(rows)).size).toBe(3)
  })

  it('are the same in another file with more movements, in the other order, with a balance column', () => {
    const other = ['06/03/2026;Agua;-1,00;10,00', ...rows.map((row) => `${row};5,00`)].reverse()
    const again = readStatement(utf8(['Fecha;Concepto;Importe;Saldo', ...other].join('\n'))).movements
    expect(again.map((each) => each.id)).toEqual(expect.arrayContaining(ids(rows)))
    expect(again).toHaveLength(4)
  })

  it('differ between accounts, and know an IBAN from its CCC', () => {
    expect(ids(rows, 'ES9121000418450200051332')).not.toEqual(ids(rows, 'ES7921000813610123456789'))
    expect(ids(rows, 'ES91 2100 0418 4502 0005 1332')).toEqual(ids(rows, '21000418450200051332'))
  })

  it('are unique within any file', () => {
    const row = fc.record({ day: fc.integer({ min: 20500, max: 20502 }), amount: fc.integer({ min: 1, max: 3 }) })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (movements) => {
        const lines = movements.map((each) => `${dateOfDay(each.day)};Pan;-${each.amount},00`)
        const found = ids(lines)
        expect(found).toHaveLength(lines.length)
        expect(new Set(found).size).toBe(lines.length)
      }),
    )
  })
})
