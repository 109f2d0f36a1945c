import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeInvoice } from '../../tools/generator/make-invoice.ts'
import { random } from '../../tools/generator/random.ts'
import { by, nothing, startWorld, textPdf, type World } from './kit.ts'

/**
 * Layouts that no reader was made for: a trading name that nobody can look up, and words for number, date and due date that
 * no dictionary of ours has, in an order and arrangement drawn by chance.
 */
function strangeLayout(seed: string) {
  const source = random(`learning/${seed}`)
  const { vendor } = makeInvoice(source)
  const words = {
    number: source.pick(['Registro', 'Justificante', 'Resguardo', 'Talonario']),
    date: source.pick(['Confeccionada', 'Formalizada', 'Despachada', 'Librada']),
    due: source.pick(['Abónese el', 'Cárguese el', 'Liquídese el', 'Satisfágase el']),
  }
  const order = source.shuffle(['number', 'date', 'due'] as const)
  const arrangement = source.pick(['in one row', 'row by row', 'under its label'])
  const trade = `${source.pick(['EL RINCÓN', 'CASA', 'LA ALACENA'])} ${source.pick(['DEL COSO', 'DE PILAR', 'VERDE'])}`
  const prefix = `${source.pick(['ZX', 'KV', 'WQ'])}${source.int(10, 99)}`
  const rate = source.pick([4, 10, 21])

  /** The month's document and what is true about it. */
  return (month: number) => {
    const base = 100 * month + 50
    const values = {
      number: `${prefix} ${month}/7${month}`,
      date: `0${month}/0${month}/2026`,
      due: `2${month}/0${month}/2026`,
    }
    const heading = {
      'in one row': [order.map((part) => `${words[part]}: ${values[part]}`).join('            ')],
      'row by row': order.map((part) => `${words[part]}: ${values[part]}`),
      'under its label': [
        order.map((part) => words[part].padEnd(28)).join(''),
        order.map((part) => values[part].padEnd(28)).join(''),
      ],
    }[arrangement]
    const money = (value: number) => `${value.toFixed(2).replace('.', ',')} €`
    const tax = (base * rate) / 100
    const rows = [
      trade,
      `NIF ${vendor.taxId}`,
      '',
      ...(heading ?? []),
      '',
      `Base imponible      ${money(base)}`,
      `IVA ${rate} %            ${money(tax)}`,
      `Total               ${money(base + tax)}`,
    ]
    const truth: Record<string, unknown> = {
      vendor_name: vendor.name,
      invoice_number: values.number,
      invoice_date: `2026-0${month}-0${month}`,
      due_date: `2026-0${month}-2${month}`,
    }
    return { bytes: textPdf(rows), truth }
  }
}

describe('one correction', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world.stop())

  test.each(['1', '2', '3', '4', '5', '6'])(
    'makes the next five documents of layout %s right, until it is undone',
    async (seed) => {
      const actor = await world.account()
      const documentOf = strangeLayout(seed)
      const read = async (month: number) => {
        const { bytes, truth } = documentOf(month)
        const result: Record<string, unknown> = await world.extract(actor, await bytes)
        const wrong = Object.keys(truth).filter((field) => result[field] !== truth[field])
        return { log: result._log_id as number, truth, wrong, result }
      }
      const first = await read(1)
      expect(first.wrong.length).toBeGreaterThanOrEqual(2)
      const corrections = Object.fromEntries(first.wrong.map((field) => [field, first.truth[field]]))
      await world.correct(actor, first.log, corrections)
      for (const month of [2, 3, 4, 5, 6]) {
        const { result, truth } = await read(month)
        expect(result).toMatchObject(truth)
      }
      await world.service.call.undoCorrections({ ...nothing, params: { log_id: first.log } }, by(actor))
      expect((await read(7)).wrong.length).toBeGreaterThanOrEqual(2)
    },
  )
})
