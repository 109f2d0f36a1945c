import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { forgetOldDocuments } from '../../src/app/erase-extraction.ts'
import { announced, by, codeOf, invoicePdf, nothing, startWorld, textPdf, type World } from './kit.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const undo = (actor: Parameters<World['item']>[0], logId: number) =>
  world.service.call.undoCorrections({ ...nothing, params: { log_id: logId } }, by(actor))
const erase = (actor: Parameters<World['item']>[0], logId: number) =>
  world.service.call.eraseExtraction({ ...nothing, params: { log_id: logId } }, by(actor))
const page = (actor: Parameters<World['item']>[0], logId: number, n: number) =>
  world.service.call.historyPage({ ...nothing, params: { log_id: logId, n } }, by(actor))

/** A vendor that shows its trading name only, and has words of its own for number and due date. */
const oddInvoice = (month: number) =>
  textPdf([
    'PANADERÍA DEL COSO',
    'CIF B12345674',
    '',
    `Registro: ZX ${month}/77            Abónese el: 2${month}/0${month}/2026          Confeccionada: 0${month}/0${month}/2026`,
    '',
    'Base imponible      100,00 €',
    'IVA 10 %             10,00 €',
    'Total               110,00 €',
  ])
const oddTruth = (month: number) => ({
  vendor_name: 'Hornos Coso, S.L.',
  invoice_number: `ZX ${month}/77`,
  due_date: `2026-0${month}-2${month}`,
  invoice_date: `2026-0${month}-0${month}`,
})

describe('a correction', () => {
  test('lies over the result and beside what was read, reaches history and neighbours, and can be undone', async () => {
    const actor = await world.account()
    const read = await world.extract(actor, await invoicePdf({ number: 'C-1' }))
    const log = read._log_id
    const corrected = await world.correct(actor, log, { vendor_name: 'Aneto Motor, S.L.', total: 250 })
    expect(corrected).toMatchObject({
      vendor_name: 'Aneto Motor, S.L.',
      total: 250,
      result: { vendor_name: 'Aneto Motor, S.L.', total: 250, subtotal: 200 },
      original: { vendor_name: 'Talleres Aneto, S.L.', total: 242 },
    })
    expect((await world.history(actor, { q: 'aneto motor' })).items).toMatchObject([{ log_id: log, total: 250 }])
    const undone = await undo(actor, log)
    expect(undone).toMatchObject({ vendor_name: 'Talleres Aneto, S.L.', total: 242, original: {} })
    expect(undone.result).toEqual(read)
    expect((await world.history(actor, { q: 'aneto motor' })).total).toBe(0)
    expect(await announced(world, String(log))).toEqual([
      'invoice.extracted',
      'extraction.corrected',
      'extraction.corrected',
    ])
  })

  test('is added to those before it', async () => {
    const actor = await world.account()
    const { _log_id: log } = await world.extract(actor, await invoicePdf({ number: 'C-2' }))
    await world.correct(actor, log, { vendor_name: 'Uno' })
    expect(await world.correct(actor, log, { vendor_city: 'Jaca' })).toMatchObject({
      result: { vendor_name: 'Uno', vendor_city: 'Jaca' },
    })
  })

  test('of a failed extraction is refused, and of a foreign one not found', async () => {
    const [actor, other] = [await world.account(), await world.account()]
    const bytes = await invoicePdf()
    await codeOf(world.extract(actor, bytes.slice(0, bytes.length >> 1)))
    const failed = (await world.history(actor)).items[0]?.log_id ?? 0
    expect(await codeOf(world.correct(actor, failed, { total: 1 }))).toBe('INVALID_STATE')
    expect(await codeOf(world.correct(other, failed, { total: 1 }))).toBe('INVOICE_NOT_FOUND')
  })

  test('makes the next five documents of the vendor right, in this account only, until it is undone', async () => {
    const [actor, other] = [await world.account(), await world.account()]
    const first = await world.extract(actor, await oddInvoice(1))
    const truth: Record<string, unknown> = oddTruth(1)
    const values: Record<string, unknown> = first
    const wrong = Object.keys(truth).filter((field) => values[field] !== truth[field])
    expect(wrong.length).toBeGreaterThanOrEqual(2)
    await world.correct(actor, first._log_id, Object.fromEntries(wrong.map((field) => [field, truth[field]])))
    for (const month of [2, 3, 4, 5, 6]) {
      expect(await world.extract(actor, await oddInvoice(month))).toMatchObject(oddTruth(month))
    }
    expect(await world.extract(other, await oddInvoice(2))).not.toMatchObject(oddTruth(2))
    await undo(actor, first._log_id)
    expect(await world.extract(actor, await oddInvoice(2))).not.toMatchObject(oddTruth(2))
  })

  test('is not lost in an account that has taught hundreds of other vendors since', async () => {
    const actor = await world.account()
    const first = await world.extract(actor, await oddInvoice(1))
    await world.correct(actor, first._log_id, oddTruth(1))
    await world.service.db.query
      .insertInto('vendor_layouts')
      .values(
        Array.from({ length: 500 }, (_, index) => ({
          user_id: actor.userId,
          subaccount_id: 0,
          vendor_vat: `X${String(index).padStart(8, '0')}`,
          log_id: 1_000_000 + index,
          layout: JSON.stringify({ vendorTaxId: `X${index}`, anchors: [] }),
          created_at: new Date('2027-01-01'),
        })),
      )
      .execute()
    expect(await world.extract(actor, await oddInvoice(3))).toMatchObject(oddTruth(3))
  })
})

describe('the original', () => {
  test('is shown with pictures of its pages, and nothing beyond the last', async () => {
    const actor = await world.account()
    const bytes = await invoicePdf({ number: 'P-1' })
    const { _log_id: log } = await world.extract(actor, bytes)
    const original = await world.service.call.historyDocument({ ...nothing, params: { log_id: log } }, by(actor))
    expect(original).toMatchObject({ filename: 'factura.pdf', contentType: 'application/pdf' })
    expect(await world.service.objects.get(original.objectKey)).toEqual(Buffer.from(bytes))
    const picture = await page(actor, log, 1)
    expect((await world.service.objects.get(picture.objectKey))?.subarray(1, 4).toString()).toBe('PNG')
    expect(await codeOf(page(actor, log, 2))).toBe('NOT_FOUND')
    expect(await codeOf(page(await world.account(), log, 1))).toBe('INVOICE_NOT_FOUND')
  })

  test('goes after its time, with its pictures; the result stays', async () => {
    const actor = await world.account()
    const { _log_id: log } = await world.extract(actor, await invoicePdf({ number: 'P-2' }))
    const picture = await page(actor, log, 1)
    const after = (days: number) => ({ now: () => new Date(world.clock.now().getTime() + days * 86_400_000) })
    const { db, objects } = world.service
    await forgetOldDocuments({ db, objects, clock: after(29) })
    expect((await world.item(actor, log)).document_available).toBe(true)
    await forgetOldDocuments({ db, objects, clock: after(31) })
    expect(await world.item(actor, log)).toMatchObject({ document_available: false, result: { total: 242 } })
    expect(await objects.get(picture.objectKey)).toBeNull()
    expect(await codeOf(page(actor, log, 1))).toBe('INVOICE_NOT_FOUND')
  })
})

describe('erasing', () => {
  test('leaves nothing: document, pictures, result, what was learned; and says so to the others', async () => {
    const actor = await world.account()
    const { _log_id: log } = await world.extract(actor, await oddInvoice(1))
    await world.correct(actor, log, oddTruth(1))
    const picture = await page(actor, log, 1)
    const original = await world.service.call.historyDocument({ ...nothing, params: { log_id: log } }, by(actor))
    expect(await codeOf(erase(await world.account(), log))).toBe('INVOICE_NOT_FOUND')
    expect(await erase(actor, log)).toEqual({ deleted: true, kept: [] })
    expect(await codeOf(world.item(actor, log))).toBe('INVOICE_NOT_FOUND')
    for (const key of [picture.objectKey, original.objectKey]) expect(await world.service.objects.get(key)).toBeNull()
    expect(await announced(world, String(log))).toContain('extraction.erased')
    // The neighbour that knows duplicates hears of it by an event, so a moment later.
    const remembered = () =>
      world.risk.db.query.selectFrom('invoices').select('log_id').where('log_id', '=', log).execute()
    await vi.waitFor(async () => expect(await remembered()).toEqual([]), { timeout: 20_000 })
    const again = await world.extract(actor, await oddInvoice(1))
    expect(again).not.toMatchObject(oddTruth(1))
    expect(again.fraud_checks?.duplicate.detected).toBe(false)
  })

  test('names the journal, which the law keeps', async () => {
    const actor = await world.account()
    const { _log_id: log } = await world.extract(actor, await invoicePdf({ number: 'E-1' }))
    await world.ledger.call.importEntries(nothing, by(actor))
    expect(await erase(actor, log)).toEqual({ deleted: true, kept: ['journal'] })
  })
})
