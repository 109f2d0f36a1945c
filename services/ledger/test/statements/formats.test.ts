import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStatement } from '../../src/domain/statements/read-statement.ts'

const read = (text: string) => readStatement(new TextEncoder().encode(text))
const brief = (text: string) => read(text).movements.map((each) => [each.date, each.amountCents, each.description])
const codes = (text: string) => read(text).errors.map((each) => [each.line, each.code])

const amount = (cents: number): string => String(cents).padStart(14, '0')

/** Worked by hand: opening 1,000.00; in 1,210.00; out 64.30 and 12.00; closing 2,133.70. */
const norma43 = (change: (lines: string[]) => string[] = (lines) => lines): string =>
  change([
    `11${'2100'}${'0418'}${'0200051332'}${'260301'}${'260331'}2${amount(100000)}9783${'TALLERES NUÑEZ SL'.padEnd(26)}   `,
    `22    0418${'260310'}${'260311'}${'04'}${'000'}2${amount(121000)}${'0000000000'}${'000000000000'}${''.padEnd(16)}`,
    `2301${'TRANSFERENCIA DE CLIENTE UNO'.padEnd(38)}${'FRA F-2026/0012'.padEnd(38)}`,
    `2302${'GRACIAS'.padEnd(38)}${''.padEnd(38)}`,
    `22    0418${'260309'}${'260309'}${'03'}${'000'}1${amount(6430)}${'0000000000'}${'000000000000'}${'REF-LUZ-77'.padEnd(16)}`,
    `22    0418${'260309'}${'260309'}${'17'}${'000'}1${amount(1200)}${'0000000000'}${'000000000000'}${''.padEnd(16)}`,
    `2301${'COMISION'.padEnd(38)}${''.padEnd(38)}`,
    `33210004180200051332${'00002'}${amount(7630)}${'00001'}${amount(121000)}2${amount(213370)}978    `,
    `88${'9'.repeat(18)}${'000008'}`,
  ]).join('\r\n')

describe('Norma 43', () => {
  it('reads movements, concepts and the account', () => {
    const statement = read(norma43())
    expect(statement).toMatchObject({ format: 'norma43', bank: 'caixabank', errors: [], mappingRequest: null })
    expect(brief(norma43())).toEqual([
      ['2026-03-10', 121000, 'TRANSFERENCIA DE CLIENTE UNO FRA F-2026/0012 GRACIAS'],
      ['2026-03-09', -6430, 'REF-LUZ-77'],
      ['2026-03-09', -1200, 'COMISION'],
    ])
    expect(statement.movements[0]).toMatchObject({
      valueDate: '2026-03-11',
      currency: 'EUR',
      account: '210004180200051332',
    })
  })

  it('takes a file that counts its closing record', () => {
    expect(codes(norma43((lines) => [...lines.slice(0, -1), `88${'9'.repeat(18)}000009`]))).toEqual([])
  })

  it('reads a file without line ends', () => {
    const joined = norma43()
      .split('\r\n')
      .map((line) => line.padEnd(80))
      .join('')
    expect(brief(joined)).toEqual(brief(norma43()))
    expect(codes(`${joined}\u001a`)).toEqual([])
  })

  it('notices any digit that was changed in an amount, a count or a balance', () => {
    const lines = norma43().split('\r\n')
    const fields: [number, number, number][] = [
      [0, 33, 47],
      [1, 28, 42],
      [4, 28, 42],
      [5, 28, 42],
      [7, 20, 58],
      [7, 59, 73],
    ]
    const place = fc
      .constantFrom(...fields)
      .chain(([line, from, to]) => fc.tuple(fc.constant(line), fc.integer({ min: from, max: to - 1 })))
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 9 }), ([line, at], by) => {
        const changed = lines.map((each, index) =>
          index === line ? each.slice(0, at) + ((Number(each[at]) + by) % 10) + each.slice(at + 1) : each,
        )
        expect(brief(changed.join('\n'))).toEqual([])
        expect(codes(changed.join('\n')).map((each) => each[1])).toContain('total_mismatch')
      }),
    )
  })

  it('reads a file of several accounts', () => {
    const two = norma43((lines) => [...lines.slice(0, -1), ...lines.slice(0, -1), `88${'9'.repeat(18)}000016`])
    expect(brief(two)).toHaveLength(6)
    expect(codes(two)).toEqual([])
  })

  const broken: [string, (lines: string[]) => string[], [number | null, string][]][] = [
    ['a movement lost', (lines) => lines.filter((_, at) => at !== 4), [[7, 'total_mismatch']]],
    [
      'an amount changed',
      (lines) => lines.map((line) => line.replace(amount(6430), amount(6431))),
      [[8, 'total_mismatch']],
    ],
    [
      'the final balance changed',
      (lines) => lines.map((line) => line.replace(amount(213370), amount(213371))),
      [[8, 'total_mismatch']],
    ],
    [
      'the sign of a movement changed',
      (lines) => lines.map((line) => line.replace(`1${amount(6430)}`, `2${amount(6430)}`)),
      [[8, 'total_mismatch']],
    ],
    [
      'an impossible date',
      (lines) => lines.map((line) => line.replace('260310', '260231')),
      [
        [2, 'invalid_date'],
        [8, 'total_mismatch'],
      ],
    ],
    [
      'letters in an amount',
      (lines) => lines.map((line) => line.replace(amount(121000), '0000000012X000')),
      [
        [2, 'invalid_amount'],
        [8, 'total_mismatch'],
      ],
    ],
    [
      'the end cut off',
      (lines) => lines.slice(0, 5),
      [
        [null, 'truncated'],
        [1, 'truncated'],
      ],
    ],
  ]
  it.each(broken)('%s: an error, and nothing of that account', (_title, change, expected) => {
    expect(codes(norma43(change))).toEqual(expected)
    expect(brief(norma43(change))).toEqual([])
  })
})

const ofx1 = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
ENCODING:USASCII
CHARSET:1252

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR
<BANKACCTFROM><BANKID>2100<ACCTID>0418450200051332<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20260301<DTEND>20260331
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260310120000[+1:CET]<TRNAMT>1210.00<FITID>A1<NAME>Talleres N&amp;M<MEMO>FRA 12</STMTTRN>
<STMTTRN>
<TRNTYPE>DEBIT
<DTPOSTED>20260309
<TRNAMT>-64,30
<FITID>A2
<NAME>LUZ
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`

const ofx2 = `<?xml version="1.0" encoding="UTF-8"?>
<?OFX OFXHEADER="200" VERSION="211"?>
<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR</CURDEF>
<BANKACCTFROM><BANKID>2100</BANKID><ACCTID>0418450200051332</ACCTID></BANKACCTFROM><BANKTRANLIST>
<STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20260310</DTPOSTED><TRNAMT>1210.00</TRNAMT><FITID>B1</FITID><NAME>Talleres N&#38;M</NAME><MEMO><![CDATA[FRA 12]]></MEMO></STMTTRN>
<STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20260309</DTPOSTED><TRNAMT>-64.30</TRNAMT><FITID>B2</FITID><NAME>LUZ</NAME></STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`

describe('OFX', () => {
  it.each([
    ['version 1 with open tags', ofx1],
    ['version 2', ofx2],
  ])('%s', (_title, text) => {
    expect(read(text)).toMatchObject({ format: 'ofx', bank: 'caixabank', errors: [] })
    expect(brief(text)).toEqual([
      ['2026-03-10', 121000, 'Talleres N&M FRA 12'],
      ['2026-03-09', -6430, 'LUZ'],
    ])
  })

  it('the same movements have the same ids in both versions', () => {
    expect(read(ofx1).movements.map((each) => each.id)).toEqual(read(ofx2).movements.map((each) => each.id))
  })

  it('names the line of what it cannot read and keeps the rest', () => {
    expect(codes(ofx2.replace('-64.30', 'mucho'))).toEqual([[6, 'invalid_amount']])
    expect(codes(ofx2.replace('20260310', '20260231'))).toEqual([[5, 'invalid_date']])
    expect(brief(ofx2.replace('-64.30', 'mucho'))).toHaveLength(1)
  })
})

const camt = (entries: string, closing = '2145.70'): string => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr/><Stmt>
<Acct><Id><IBAN>ES9121000418450200051332</IBAN></Id></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${closing}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
${entries}</Stmt></BkToCstmrStmt></Document>`
const booked = `<Ntry><Amt Ccy="EUR">1210</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-10</Dt></BookgDt><ValDt><Dt>2026-03-11</Dt></ValDt>
<AcctSvcrRef>X1</AcctSvcrRef><NtryDtls><TxDtls><RltdPties><Dbtr><Nm>Cliente Uno</Nm></Dbtr></RltdPties><RmtInf><Ustrd>FRA 12</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">64.30</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>2026-03-09T10:00:00</DtTm></BookgDt><AddtlNtryInf>LUZ</AddtlNtryInf></Ntry>`

describe('CAMT.053', () => {
  it('reads booked entries with their direction', () => {
    const text = camt(booked)
    expect(read(text)).toMatchObject({ format: 'camt053', bank: 'caixabank', errors: [] })
    expect(brief(text)).toEqual([
      ['2026-03-10', 121000, 'Cliente Uno FRA 12'],
      ['2026-03-09', -6430, 'LUZ'],
    ])
    expect(read(text).movements[0]).toMatchObject({ valueDate: '2026-03-11', currency: 'EUR', reference: 'X1' })
  })

  it('leaves pending entries out', () => {
    expect(brief(camt(`${booked}${booked.replaceAll('BOOK', 'PDNG')}`))).toHaveLength(2)
  })

  it('reads a prefix and a later version alike', () => {
    const prefixed = camt(booked)
      .replace('camt.053.001.02', 'camt.053.001.08')
      .replace(' xmlns=', ' xmlns:b=')
      .replaceAll(/<(\/?)([A-Z])/g, '<$1b:$2')
    expect(brief(prefixed)).toEqual(brief(camt(booked)))
  })

  it('a statement that does not reach its closing balance stays out', () => {
    expect(codes(camt(booked, '2145.71')).map((each) => each[1])).toEqual(['total_mismatch'])
    expect(brief(camt(booked, '2145.71'))).toEqual([])
  })

  it('refuses a document type and entities before parsing', () => {
    const bomb = camt(booked).replace('<Document', '<!DOCTYPE d [<!ENTITY a "aaaa">]><Document')
    expect(codes(bomb)).toEqual([[null, 'unsafe_xml']])
    const wide = Buffer.from(`\uFEFF${bomb}`, 'utf16le')
    expect(readStatement(Uint8Array.from(wide)).errors.map((each) => each.code)).toEqual(['unsafe_xml'])
  })

  it('says that broken XML is broken', () => {
    expect(codes(camt('<Ntry>'))).toEqual([[null, 'invalid_xml']])
  })

  it('a transfer has the same id in CAMT and in another download of the same account', () => {
    const again = camt(booked.replace('X1', 'X999'))
    expect(read(again).movements.map((each) => each.id)).toEqual(read(camt(booked)).movements.map((each) => each.id))
  })
})

describe('a damaged file of any format', () => {
  const files = [norma43(), ofx1, ofx2, camt(booked)]
  it('gives an answer and never a movement without date and amount', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...files),
        fc.nat(3000),
        fc.nat(40),
        fc.string({ maxLength: 12 }),
        (file, at, length, put) => {
          const start = at % file.length
          const { movements } = read(file.slice(0, start) + put + file.slice(start + length))
          for (const movement of movements) {
            expect(movement.date).toMatch(/^\d{4}-\d\d-\d\d$/)
            expect(Number.isSafeInteger(movement.amountCents) && movement.amountCents !== 0).toBe(true)
          }
        },
      ),
      { numRuns: 400 },
    )
  })
})
