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

const assess = (logId: number, subaccountId: number | null = null) =>
  service.call.assess(
    {
      logId,
      scope: { userId: 1, keyId: null, subaccountId, sandbox: false },
      fraudChecks: true,
      fileSha256: logId.toString(16).padStart(64, '0'),
      vendorName: 'Consultora Propia, S.L.',
      vendorVat: 'B12345674',
      invoiceNumber: `V-${logId}`,
      invoiceDate: '2026-03-01',
      totalCents: 121_000,
      iban: null,
      lines: [{ description: 'Consultoría', totalCents: 100_000 }],
    },
    { actor: testActor({ subaccountId }), requestId: 'test' },
  )

describe('invoices that the account itself issued', () => {
  it('are income when the fiscal profile names their issuer', async () => {
    service = await startTestService(risk, { rpc: ledgerThat(async () => ({ nif: 'b-12345674' })) })
    expect((await assess(1)).accounting).toMatchObject({ type: 'ingreso', account_code: '705' })
  })

  it('are not those of a subaccount, which is another company', async () => {
    service = await startTestService(risk, { rpc: ledgerThat(async () => ({ nif: 'B12345674' })) })
    expect((await assess(1, 4)).accounting).toMatchObject({ type: 'gasto', account_code: '623' })
  })

  it.each<[string, () => Promise<{ nif: string | null }>]>([
    ['is empty', async () => ({ nif: null })],
    ['cannot be reached', () => Promise.reject(new Error('away'))],
    ['does not answer', () => new Promise(() => {})],
  ])('are read as purchases when the ledger %s, and the checks stand', async (_, answers) => {
    service = await startTestService(risk, { rpc: ledgerThat(answers) })
    const answer = await assess(1)
    expect(answer.accounting.type).toBe('gasto')
    expect(answer.fraudChecks?.duplicate.detected).toBe(false)
  })
})
