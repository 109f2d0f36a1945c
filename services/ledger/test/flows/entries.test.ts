import { testActor } from '@asiento/chassis/testing/service'
import { AppError, ValidationFailure } from '@asiento/proto/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LedgerUnderTest, startLedger } from './ledger-test.ts'

let ledger: LedgerUnderTest
beforeAll(async () => {
  ledger = await startLedger()
})
afterAll(() => ledger.stop())

const stranger = testActor({ userId: 99 })
const income = { type: 'income', date: '2026-05-01', concept: 'Consultoría', base: 100, tax_rate: 21 }

const failureOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'none'
  } catch (error) {
    if (error instanceof AppError) return error.code
    if (error instanceof ValidationFailure) return `422 ${error.issues[0]?.loc.join('.')}`
    return error instanceof Error && error.name === 'ZodError' ? '422' : String(error)
  }
}

describe('an entry', () => {
  it('is derived, posted and listed', async () => {
    const actor = testActor({ userId: 10 })
    const entry = await ledger.call('createEntry', { body: { ...income, irpf_rate: 15 } }, actor)
    expect(entry).toMatchObject({
      status: 'pending',
      base: 100,
      tax_amount: 21,
      irpf_amount: -15,
      total: 106,
      account_code: '705',
      source: 'manual',
      has_attachment: false,
      paid_at: null,
      created_at: '2026-05-15 10:00:00',
    })
    const journal = await ledger.call('journal', {}, actor)
    expect(journal).toMatchObject({ total: 1, has_more: false })
    if (!('items' in journal)) throw new Error('no list')
    expect(journal.items[0]?.lines.map((line) => [line.account_code, line.debit, line.credit])).toEqual([
      ['430', 106, 0],
      ['473', 15, 0],
      ['705', 0, 100],
      ['477', 0, 21],
    ])
    expect(await ledger.call('listEntries', {}, actor)).toMatchObject({
      items: [{ id: entry.id }],
      total: 1,
      sums: { income: 106, expense: 0, balance: 106 },
    })
    expect(await ledger.call('verifyJournal', {}, actor)).toEqual({ valid: true, checked: 1, first_broken_id: null })
  })

  it('keeps what it said before as a reversal when it is edited, and again when it is deleted', async () => {
    const actor = testActor({ userId: 11 })
    const { id } = await ledger.call('createEntry', { body: income }, actor)
    const settled = await ledger.call('updateEntry', { params: { entry_id: id }, body: { status: 'collected' } }, actor)
    expect(settled).toMatchObject({ status: 'collected', paid_at: '2026-05-15' })
    await ledger.call('updateEntry', { params: { entry_id: id }, body: { base: 200 } }, actor)
    const balance = await ledger.call('trialBalance', {}, actor)
    expect(balance.accounts.filter((row) => row.balance !== 0).map((row) => [row.account_code, row.balance])).toEqual([
      ['477', -42],
      ['572', 242],
      ['705', -200],
    ])
    await ledger.call('deleteEntry', { params: { entry_id: id } }, actor)
    const after = await ledger.call('trialBalance', {}, actor)
    expect(after.accounts.every((row) => row.balance === 0)).toBe(true)
    expect(after.totals.debit).toBe(after.totals.credit)
    expect(await ledger.call('verifyJournal', {}, actor)).toMatchObject({ valid: true })
    expect(await failureOf(ledger.call('getEntry', { params: { entry_id: id } }, actor))).toBe('NOT_FOUND')
  })

  it('answers what the books said at an earlier moment', async () => {
    const actor = testActor({ userId: 12 })
    ledger.time.now = new Date('2026-05-15T10:00:00Z')
    const { id } = await ledger.call('createEntry', { body: income }, actor)
    ledger.time.now = new Date('2026-05-20T10:00:00Z')
    await ledger.call('updateEntry', { params: { entry_id: id }, body: { base: 500 } }, actor)
    const balanceOf = async (as_of: string) =>
      (await ledger.call('trialBalance', { query: { as_of } }, actor)).accounts.find(
        (row) => row.account_code === '705',
      )?.balance
    expect(await balanceOf('2026-05-15')).toBe(-100)
    expect(await balanceOf('2026-05-20 10:00:00')).toBe(-500)
    expect(await balanceOf('')).toBe(-500)
    ledger.time.now = new Date('2026-05-15T10:00:00Z')
  })

  const bad: [string, Record<string, unknown>, string][] = [
    ['an amount of 0', { total: 0 }, '422'],
    ['a negative amount', { total: -5 }, '422'],
    ['an amount of 1e15', { total: 1e15 }, '422'],
    ['three decimals', { total: 10.005 }, '422'],
    ['NaN', { total: Number.NaN }, '422'],
    ['a date that does not exist', { total: 10, date: '2026-02-30' }, '422'],
    ['no amount', {}, '422 body.total'],
    ['parts that do not add up', { base: 100, tax_rate: 21, total: 122 }, '422 body.total'],
    ['an income that is paid', { total: 10, status: 'paid' }, '422 body.status'],
    ['a pending entry with paid_at', { total: 10, paid_at: '2026-05-01' }, '422 body.paid_at'],
    ['an account that is none', { total: 10, account_code: 'abc' }, '422'],
    ['a blank concept', { total: 10, concept: '  ' }, '422'],
  ]
  it.each(bad)('refuses %s and changes nothing', async (_, change, failure) => {
    const actor = testActor({ userId: 13 })
    const body = { type: 'income', date: '2026-05-01', concept: 'x', ...change }
    expect(await failureOf(ledger.call('createEntry', { body }, actor))).toBe(failure)
    expect(await ledger.call('listEntries', {}, actor)).toMatchObject({ total: 0 })
    expect(await ledger.call('journal', {}, actor)).toMatchObject({ total: 0 })
  })

  it('belongs to its owner: others are denied, a missing one is not found', async () => {
    const { id } = await ledger.call('createEntry', { body: income }, testActor({ userId: 14 }))
    const params = { entry_id: id }
    expect(await failureOf(ledger.call('getEntry', { params }, stranger))).toBe('ACCESS_DENIED')
    expect(await failureOf(ledger.call('updateEntry', { params, body: { notes: 'x' } }, stranger))).toBe(
      'ACCESS_DENIED',
    )
    expect(await failureOf(ledger.call('deleteEntry', { params }, stranger))).toBe('ACCESS_DENIED')
    expect(await failureOf(ledger.call('confirmBankMatch', { params }, stranger))).toBe('ACCESS_DENIED')
    expect(await failureOf(ledger.call('getEntryAttachment', { params }, stranger))).toBe('ACCESS_DENIED')
    expect(await failureOf(ledger.call('getEntry', { params: { entry_id: 987_654 } }, stranger))).toBe('NOT_FOUND')
  })

  it('is settled by exactly one of two hundred confirmations at once', async () => {
    const actor = testActor({ userId: 15 })
    const { id } = await ledger.call('createEntry', { body: income }, actor)
    const results = await Promise.all(
      Array.from({ length: 200 }, () =>
        failureOf(ledger.call('confirmBankMatch', { params: { entry_id: id } }, actor)),
      ),
    )
    expect(results.filter((result) => result === 'none')).toHaveLength(1)
    expect(results.filter((result) => result === 'INVALID_STATE')).toHaveLength(199)
    expect(await ledger.call('journal', {}, actor)).toMatchObject({ total: 2 })
    expect(await ledger.call('verifyJournal', {}, actor)).toMatchObject({ valid: true })
  })
})

describe('the list of entries', () => {
  const actor = testActor({ userId: 20 })
  beforeAll(async () => {
    for (let month = 1; month <= 6; month += 1) {
      for (let day = 1; day <= 5; day += 1) {
        const date = `2026-0${month}-0${day}`
        const settled = (status: string) => (day === 5 ? { status } : {})
        await ledger.call(
          'createEntry',
          {
            body: {
              ...income,
              ...settled('collected'),
              date,
              concept: `Reparación ${month}/${day}`,
              invoice_number: `A-${month}${day}`,
            },
          },
          actor,
        )
        await ledger.call(
          'createEntry',
          {
            body: {
              type: 'expense',
              ...settled('paid'),
              date,
              concept: 'Gasoil 50%_',
              total: day,
              counterparty_name: 'Año Nuevo SL',
            },
          },
          actor,
        )
      }
    }
  })

  const idsOf = async (query: Record<string, unknown>) => {
    const list = await ledger.call('listEntries', { query }, actor)
    if (!('items' in list)) throw new Error('no list')
    return list
  }

  it('pages without gaps or repeats, newest first, whatever the offset', async () => {
    const whole = await idsOf({})
    expect(whole.total).toBe(60)
    const order = whole.items.map((entry) => `${entry.date} ${String(entry.id).padStart(9, '0')}`)
    expect(order).toEqual([...order].sort().reverse())
    const pages = await Promise.all(Array.from({ length: 9 }, (_, page) => idsOf({ limit: 7, offset: page * 7 })))
    expect(pages.flatMap((page) => page.items.map(({ id }) => id))).toEqual(whole.items.map(({ id }) => id))
    expect(pages.map((page) => page.has_more)).toEqual([...Array(8).fill(true), false])
    expect((await idsOf({ offset: 1000 })).items).toEqual([])
  })

  const filters: [string, Record<string, unknown>, number][] = [
    ['a type', { type: 'income' }, 30],
    ['whole months', { from_date: '2026-02-01', to_date: '2026-03-31' }, 20],
    ['days within months', { from_date: '2026-01-03', to_date: '2026-03-02' }, 6 + 10 + 4],
    ['days within one month', { from_date: '2026-04-02', to_date: '2026-04-03' }, 4],
    ['an open end', { from_date: '2026-06-03' }, 6],
    ['an open start and a type', { to_date: '2026-01-02', type: 'expense' }, 2],
    ['a range turned around', { from_date: '2026-06-01', to_date: '2026-01-01' }, 0],
    ['text without case and accents', { q: 'REPARACION' }, 30],
    ['text with accents', { q: 'año nuevo' }, 30],
    ['words in any order', { q: 'nuevo GASOIL' }, 30],
    ['an invoice number', { q: 'a-35' }, 1],
    ['signs that mean themselves', { q: '50%_' }, 30],
    ['a sign that is nowhere', { q: '51%' }, 0],
    ['a status', { status: 'pending' }, 48],
    ['a status and days', { status: 'pending', from_date: '2026-01-03', to_date: '2026-03-02' }, 16],
    ['a status and a text', { status: 'paid', q: 'gasoil' }, 6],
    ['what was paid', { status: 'paid' }, 6],
    ['what was collected, by days', { status: 'collected', from_date: '2026-01-05', to_date: '2026-03-04' }, 2],
    ['a status that the type cannot have', { status: 'paid', type: 'income' }, 0],
    ['blank filters', { type: '', q: '', from_date: '', to_date: '' }, 60],
  ]
  it.each(filters)('filters by %s, and its sums are those of what fits', async (_, query, count) => {
    const list = await idsOf({ ...query, limit: 500 })
    expect(list.items).toHaveLength(count)
    expect(list.total).toBe(count)
    const sum = (type: string) =>
      Math.round(list.items.filter((entry) => entry.type === type).reduce((all, entry) => all + entry.total * 100, 0)) /
      100
    expect(list.sums).toEqual({
      income: sum('income'),
      expense: sum('expense'),
      balance: Math.round((sum('income') - sum('expense')) * 100) / 100,
    })
  })

  it('exports every entry that fits as CSV with Spanish headings, and as a workbook', async () => {
    const csv = await ledger.call('listEntries', { query: { format: 'csv', type: 'expense' } }, actor)
    if (!('objectKey' in csv)) throw new Error('no file')
    const text = String(await ledger.objects.get(csv.objectKey))
    expect(text.split('\n')[0]).toContain('Fecha,Vencimiento,Concepto,Tercero')
    expect(text.trim().split('\n')).toHaveLength(31)
    const sheet = await ledger.call('listEntries', { query: { format: 'xlsx' } }, actor)
    if (!('objectKey' in sheet)) throw new Error('no file')
    expect(String((await ledger.objects.get(sheet.objectKey))?.subarray(0, 2))).toBe('PK')
  })

  it('exports the journal line by line', async () => {
    const csv = await ledger.call('journal', { query: { format: 'csv', from: '2026-06-01' } }, actor)
    if (!('objectKey' in csv)) throw new Error('no file')
    const lines = String(await ledger.objects.get(csv.objectKey))
      .trim()
      .split('\n')
    expect(lines[0]).toBe('Asiento,Fecha,Apunte,Concepto,Cuenta,Nombre de la cuenta,Debe,Haber,Huella')
    expect(lines).toHaveLength(1 + 5 * 3 + 5 * 2 + 2 * 2)
  })

  it('marks text that a spreadsheet would run as a formula', async () => {
    const other = testActor({ userId: 21 })
    await ledger.call('createEntry', { body: { ...income, concept: '=HYPERLINK("http://x")' } }, other)
    const csv = await ledger.call('listEntries', { query: { format: 'csv' } }, other)
    if (!('objectKey' in csv)) throw new Error('no file')
    expect(String(await ledger.objects.get(csv.objectKey))).toContain(`"'=HYPERLINK(""http://x"")"`)
  })
})

describe('an attachment', () => {
  const actor = testActor({ userId: 30 })
  const upload = async (content: string, filename: string) => {
    const objectKey = `uploads/test-${Math.random().toString(36).slice(2)}`
    const stored = await ledger.objects.put(objectKey, Buffer.from(content, 'latin1'))
    return {
      field: 'file',
      objectKey,
      sha256: stored.sha256,
      sizeBytes: stored.sizeBytes,
      filename,
      contentType: 'application/octet-stream',
    }
  }

  it('is told by its content, replaced, downloaded and deleted; the entry stays', async () => {
    const { id } = await ledger.call('createEntry', { body: income }, actor)
    const params = { entry_id: id }
    const first = await ledger.call(
      'putEntryAttachment',
      { params, files: [await upload('%PDF-1.4 one', 'recibo.txt')] },
      actor,
    )
    expect(first).toEqual({ entry_id: id, filename: 'recibo.txt', size: 12, content_type: 'application/pdf' })
    await ledger.call(
      'putEntryAttachment',
      { params, files: [await upload('\x89PNG\r\n\x1a\n two', 'foto.png')] },
      actor,
    )
    const file = await ledger.call('getEntryAttachment', { params }, actor)
    expect(file).toMatchObject({ filename: 'foto.png', contentType: 'image/png' })
    expect(String(await ledger.objects.get(file.objectKey))).toContain('two')
    expect(await ledger.call('getEntry', { params }, actor)).toMatchObject({ has_attachment: true })
    await ledger.call('deleteEntryAttachment', { params }, actor)
    expect(await ledger.call('getEntry', { params }, actor)).toMatchObject({ has_attachment: false })
    expect(await failureOf(ledger.call('getEntryAttachment', { params }, actor))).toBe('NOT_FOUND')
    const { rows } = await ledger.db.pool.query('select count(*)::int as count from released_objects')
    expect(rows[0].count).toBe(2)
  })

  it('is refused when it is no PDF or image, and nothing changes', async () => {
    const { id } = await ledger.call('createEntry', { body: income }, actor)
    const files = [await upload('MZ program', 'factura.pdf')]
    expect(await failureOf(ledger.call('putEntryAttachment', { params: { entry_id: id }, files }, actor))).toBe(
      'ATTACHMENT_INVALID',
    )
    expect(await ledger.call('getEntry', { params: { entry_id: id } }, actor)).toMatchObject({ has_attachment: false })
    const empty = [await upload('', 'vacio.pdf')]
    expect(await failureOf(ledger.call('putEntryAttachment', { params: { entry_id: id }, files: empty }, actor))).toBe(
      'INVALID_INPUT',
    )
  })
})
