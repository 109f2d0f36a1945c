import { sign } from 'node:crypto'
import { invoiceInput } from '@asiento/proto/schemas/invoice-input'
import { buildFacturae } from '../src/domain/build/build-facturae.ts'
import { facturaeStartTag, facturaeXml } from '../src/domain/build/facturae-xml.ts'
import { invoiceFromInput } from '../src/domain/build/invoice-from-input.ts'
import { readTree } from '../src/domain/parse/tree.ts'
import { checkDocument } from '../src/domain/rules/portal-rules.ts'
import { signFacturae } from '../src/signing/sign.ts'
import { fitsSchema } from '../src/xsd/fits-schema.ts'
import { schemaErrorsOf } from '../src/xsd/schemas.ts'
import { fixtureKey } from '../test/certificates/fixtures.ts'

export interface BuildBench {
  /** From input to signed XML with schema and rules checked, invoices a second of processor time, one thread, 20 lines, RSA-2048. */
  wholePerSecond: number
  /** Bare `crypto.sign` with the same key, in the same run. */
  barePerSecond: number
  ratio: number
  /** Milliseconds of each part; `wholeValidator` is libxml2, which is asked only where the quick look does not suffice. */
  parts: Record<'model' | 'xml' | 'tree' | 'schema' | 'rules' | 'wholeValidator', number>
}

const today = '2026-11-21'

/** An invoice of 20 lines to an administration, as a caller sends it. */
export const benchInput = invoiceInput.parse({
  vendor_name: 'Empresa SL',
  vendor_vat: 'B12345674',
  vendor_address: 'C/ Mayor 1',
  vendor_city: 'Madrid',
  vendor_postal_code: '28001',
  buyer_name: 'Ayuntamiento',
  buyer_vat: 'P2813400E',
  buyer_address: 'Plaza 1',
  buyer_city: 'San Sebastián',
  buyer_postal_code: '28701',
  invoice_number: 'F-1',
  invoice_date: '2026-03-01',
  due_date: '2026-04-01',
  iban: 'ES9121000418450200051332',
  payment_method: 'transferencia',
  total: null,
  irpf_rate: 15,
  administrative_centres: ['01', '02', '03'].map((role) => ({ role, code: 'L01281343' })),
  line_items: Array.from({ length: 20 }, (_, index) => ({
    description: `Servicio de mantenimiento número ${index} & más`,
    quantity: 1 + index / 4,
    unit_price: 12.345 + index,
    total: null,
    tax_rate: [21, 10, 4][index % 3],
  })),
})

/** Measures the whole way of an invoice against the bare key, alternating so that a busy machine disturbs both alike. */
export async function benchBuild({ rounds = 7, roundMs = 400 } = {}): Promise<BuildBench> {
  const key = await fixtureKey()
  const signedAt = new Date('2026-06-01T10:00:00Z')
  const { invoice, figures } = invoiceFromInput(benchInput)
  const xml = facturaeXml(invoice, figures)
  const tree = readTree(xml)
  const message = Buffer.alloc(1_500, 'x')
  const whole = () => signFacturae(buildFacturae(benchInput, { today }).xml, key, { signedAt, known: 'canonical' })
  const bare = () => sign('sha256', message, key.privateKey)
  rate(whole, roundMs * 2)
  rate(bare, roundMs)
  const pairs = Array.from({ length: rounds }, () => ({ bare: rate(bare, roundMs), whole: rate(whole, roundMs) }))
  const ms = (work: () => unknown) => Math.round(1e6 / rate(work, roundMs)) / 1000
  return {
    wholePerSecond: median(pairs.map((pair) => pair.whole)),
    barePerSecond: median(pairs.map((pair) => pair.bare)),
    ratio: median(pairs.map((pair) => pair.whole / pair.bare)),
    parts: {
      model: ms(() => invoiceFromInput(benchInput)),
      xml: ms(() => facturaeXml(invoice, figures)),
      tree: ms(() => readTree(xml)),
      schema: ms(() => fitsSchema(xml, tree, facturaeStartTag, '3.2.2')),
      rules: ms(() => checkDocument(tree, { today, strict: false })),
      wholeValidator: ms(() => schemaErrorsOf(xml, '3.2.2')),
    },
  }
}

/** How often a second of processor time, so that other programs on the machine do not count. */
function rate(work: () => unknown, forMs: number): number {
  const before = process.cpuUsage()
  const start = performance.now()
  let done = 0
  while (performance.now() - start < forMs) {
    for (let index = 0; index < 5; index += 1) work()
    done += 5
  }
  const { user, system } = process.cpuUsage(before)
  return (done * 1e6) / (user + system)
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

if (import.meta.main) console.log(await benchBuild())
