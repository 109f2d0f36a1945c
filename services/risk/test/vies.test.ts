import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestService, type TestService, testActor } from '@asiento/chassis/testing/service'
import { afterEach, describe, expect, it } from 'vitest'
import type { Tables } from '../src/adapters/out/tables.ts'
import { createVies } from '../src/adapters/out/vies.ts'
import { risk } from '../src/service.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

interface Double {
  url: string
  asked: { countryCode: string; vatNumber: string }[]
  server: Server
}

/** A VIES of our own: the same path and shapes, behaving as told. */
async function viesDouble(
  behave: (asked: number) => { status?: number; body?: unknown; hang?: boolean },
): Promise<Double> {
  const asked: Double['asked'] = []
  const listener: RequestListener = (request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      asked.push(JSON.parse(text))
      const { status = 200, body, hang = false } = behave(asked.length)
      if (hang) return
      response.writeHead(request.url === '/vies/check-vat-number' ? status : 404, {
        'content-type': 'application/json',
      })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  }
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/vies/`, asked, server }
}

const yes = { countryCode: 'ES', vatNumber: 'B12345674', valid: true, name: 'SUMINISTROS PARDO SL' }

describe('VIES', () => {
  const start = async (double: Double): Promise<TestService<'risk', Tables>> => {
    const service = await startTestService(risk, { environment: { VIES_URL: double.url, VIES_TIMEOUT_MS: '200' } })
    open.push(service.stop)
    return service
  }
  let logId = 0
  const verify = async (service: TestService<'risk', Tables>, vendorVat: string | null, fraudChecks = true) => {
    logId += 1
    const answer = await service.call.assess(
      {
        logId,
        scope: { userId: 1, keyId: null, subaccountId: null, sandbox: false },
        fraudChecks,
        fileSha256: logId.toString(16).padStart(64, '0'),
        vendorName: 'Suministros Pardo',
        vendorVat,
        invoiceNumber: String(logId),
        invoiceDate: null,
        totalCents: logId,
        iban: null,
        lines: [],
      },
      { actor: testActor(), requestId: 'test' },
    )
    return answer.fraudChecks?.vat_verification
  }

  it('confirms a number once and remembers the answer', async () => {
    const double = await viesDouble(() => ({ body: yes }))
    const service = await start(double)
    const verified = { valid: true, status: 'verified', source: 'vies' }
    expect(await verify(service, 'ES-B12345674')).toEqual(verified)
    expect(await verify(service, 'b12345674')).toEqual(verified)
    expect(double.asked).toEqual([{ countryCode: 'ES', vatNumber: 'B12345674' }])
  })

  it('is not asked about a wrong number, a missing one, or below Pro', async () => {
    const double = await viesDouble(() => ({ body: yes }))
    const service = await start(double)
    expect((await verify(service, 'B12345678'))?.status).toBe('invalid')
    expect((await verify(service, null))?.status).toBe('missing')
    await verify(service, 'B12345674', false)
    expect(double.asked).toEqual([])
  })

  const unconfirmed = { valid: true, status: 'format_valid', source: 'checksum' }

  it.each<[string, { status?: number; body?: unknown; hang?: boolean }]>([
    ['denies the number', { body: { ...yes, valid: false } }],
    ['denies it without details', { body: { valid: false, userError: 'INVALID' } }],
    ['is overloaded', { body: { valid: false, userError: 'MS_MAX_CONCURRENT_REQ' } }],
    ['reports an error', { body: { actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] } }],
    ['fails', { status: 500, body: {} }],
    ['answers with a page', { body: '<html>maintenance</html>' }],
    ['answers about another number', { body: { ...yes, vatNumber: 'A28015865' } }],
    ['lies about the type', { body: { valid: 'yes' } }],
    ['does not answer in time', { hang: true }],
  ])('that %s takes nothing from a right number', async (_, behaviour) => {
    const service = await start(await viesDouble(() => behaviour))
    expect(await verify(service, 'B12345674')).toEqual(unconfirmed)
  })

  it('that is down takes nothing from a right number', async () => {
    const double = await viesDouble(() => ({ body: yes }))
    const service = await start(double)
    double.server.close()
    await once(double.server, 'close')
    expect(await verify(service, 'B12345674')).toEqual(unconfirmed)
  })

  it('is left alone after three failures, then asked again, and trusted anew when it answers', async () => {
    let now = 0
    const double = await viesDouble((asked) => (asked <= 4 ? { status: 503, body: {} } : { body: yes }))
    const silent = { warn: () => {} } as never
    const vies = createVies({
      url: double.url,
      timeoutMs: 500,
      failuresMax: 3,
      restMs: 1_000,
      now: () => now,
      log: silent,
    })
    for (let call = 0; call < 6; call += 1) expect(await vies.ask('ES', 'B12345674')).toBeNull()
    expect(double.asked).toHaveLength(3)
    now = 1_001
    expect(await vies.ask('ES', 'B12345674')).toBeNull()
    expect(await vies.ask('ES', 'B12345674')).toBeNull()
    expect(double.asked).toHaveLength(4)
    now = 2_500
    expect(await vies.ask('ES', 'B12345674')).toEqual({ registered: true })
    expect(await vies.ask('ES', 'B12345674')).toEqual({ registered: true })
    expect(double.asked).toHaveLength(6)
  })
})
