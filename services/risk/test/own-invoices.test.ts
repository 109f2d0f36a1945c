import { startTestService, type TestService, testActor } from '@asiento/chassis/testing/service'
import type { RpcClients } from '@asiento/proto/rpc'
import { afterEach, describe, expect, it } from 'vitest'
import type { Tables } from '../src/adapters/out/tables.ts'
import { risk } from '../src/service.ts'

let service: TestService<'risk', Tables>
afterEach(() => service.stop())

/** The ledger stands in another process; here it is whatever the case says. */
const ledgerThat = (answers: () => Promise<{ nif: string | null }>): Partial<RpcClients> => ({
  ledger: { getFiscalProfile: answers } as unknown as RpcClients['ledger'],
})

const categorize = (subaccountId: number | null = null) =>
  service.call.categorize(
    {
      params: {},
      query: {},
      body: {
        vendor_name: 'Consultora Propia, S.L.',
        vendor_vat: 'B12345674',
        line_items: [{ description: 'Consultoría', total: 1_000 }],
        total: 1_210,
      },
      files: [],
      headers: {},
    },
    { actor: testActor({ subaccountId }), requestId: 'test' },
  )

describe('invoices that the account itself issued', () => {
  it('are income when the fiscal profile names their issuer', async () => {
    service = await startTestService(risk, { rpc: ledgerThat(async () => ({ nif: 'b-12345674' })) })
    expect(await categorize()).toMatchObject({ type: 'ingreso', account_code: '705' })
  })

  it('are not those of a subaccount, which is another company', async () => {
    service = await startTestService(risk, { rpc: ledgerThat(async () => ({ nif: 'B12345674' })) })
    expect(await categorize(4)).toMatchObject({ type: 'gasto', account_code: '623' })
  })

  it.each<[string, () => Promise<{ nif: string | null }>]>([
    ['is empty', async () => ({ nif: null })],
    ['cannot be reached', () => Promise.reject(new Error('away'))],
    ['does not answer', () => new Promise(() => {})],
  ])('are read as purchases when the ledger %s', async (_, answers) => {
    service = await startTestService(risk, { rpc: ledgerThat(answers) })
    expect((await categorize()).type).toBe('gasto')
  })
})
