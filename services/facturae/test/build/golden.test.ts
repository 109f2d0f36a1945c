import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { invoiceDataInput } from '@asiento/proto/schemas/invoice-input'
import { describe, expect, it } from 'vitest'
import { buildFacturae } from '../../src/domain/build/build-facturae.ts'
import { independentSums } from '../support/independent-sums.ts'
import { today } from '../support/invoices.ts'

const folder = new URL('../golden/', import.meta.url)
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''))
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8')

describe('golden pairs', () => {
  it.each(names)('%s is written byte for byte as agreed', (name) => {
    const { xml } = buildFacturae(invoiceDataInput.parse(JSON.parse(read(`${name}.json`))), { today })
    // GOLDEN=write puts down what is built, to be read before it is committed.
    if (process.env.GOLDEN === 'write') writeFileSync(new URL(`${name}.xml`, folder), xml)
    expect(xml).toBe(read(`${name}.xml`))
    expect(independentSums(xml)).toEqual([])
  })
})
