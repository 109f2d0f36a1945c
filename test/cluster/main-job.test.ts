import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { client, mandatoryFields, sample, sampleNames } from '../e2e/api.ts'
import { type Account, makeAccount } from '../provision/accounts.ts'
import { type Cluster, startCluster } from '../provision/cluster.ts'
import { kafkaIsPossible } from '../provision/kafka.ts'
import { type OtlpCollector, startOtlpCollector } from '../provision/otlp-collector.ts'
import { redisIsPossible } from '../provision/redis.ts'

const possible = (await kafkaIsPossible()) && (await redisIsPossible())
const certificate = new URL('../fixtures/test-signer.p12', import.meta.url)

describe.skipIf(!possible)('the main job with one process a service, on Kafka, Redis and PostgreSQL', () => {
  let cluster: Cluster
  let account: Account
  let key: string
  let collector: OtlpCollector
  const api = () => client(cluster.baseUrl, { 'x-api-key': key })

  beforeAll(async () => {
    collector = await startOtlpCollector()
    cluster = await startCluster({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '300',
    })
    account = await makeAccount(cluster, 'ana@ejemplo-empresa.es')
    const created = await client(cluster.baseUrl, { authorization: `Bearer ${account.token}` }).send('POST', '/keys', {
      name: 'test',
      plan: 'pro',
    })
    key = String(created.body.raw_key)
  }, 240_000)
  afterAll(async () => {
    await cluster?.stop()
    await collector?.close()
  }, 120_000)

  test.each(sampleNames)('reads the mandatory fields of %s', async (name) => {
    const { bytes, truth } = await sample(name)
    const { status, body } = await api().upload('/extract', [{ name, bytes }])
    expect(status).toBe(200)
    expect(body).toMatchObject(Object.fromEntries(mandatoryFields.map((field) => [field, truth[field]])))
  })

  test('every service says that it works', async () => {
    const { body } = await api().get('/status')
    expect(body).toMatchObject({ status: 'operational' })
  })

  test('a signed Facturae is kept in custody and can be fetched again', async () => {
    const { bytes } = await sample('factura-digital.pdf')
    const read = await api().upload('/extract', [{ name: 'a.pdf', bytes }])
    const p12 = (await readFile(certificate)).toString('base64')
    const order = { invoice_data: read.body, sign: true, p12_b64: p12, p12_password: 'asiento' }
    const { status, body } = await api().send('POST', '/convert-to-facturae', order)
    expect([status, body.signed, body.version]).toEqual([200, true, '3.2.2'])
    const kept = await api().get(`/invoices/${body.log_id}/facturae`)
    expect(kept.bytes.toString()).toBe(body.xml)
    expect(kept.headers.get('content-disposition')).toContain('attachment')
  })

  test('an extraction reaches the ledger through Kafka', async () => {
    await api().send('POST', '/contabilidad/auto-import-preference', { auto_import: true })
    const { bytes } = await sample('factura-irpf.pdf')
    const read = await api().upload('/extract', [{ name: 'b.pdf', bytes }])
    await vi.waitFor(
      async () => {
        const { body } = await api().get('/contabilidad/entries')
        const logs = (body.items as unknown as { log_id: number }[]).map((entry) => entry.log_id)
        expect(logs).toContain(read.body._log_id)
      },
      { timeout: 30_000, interval: 200 },
    )
  })

  test('one trace leads from HTTP through the calls between services and Kafka to the database', async () => {
    const { bytes } = await sample('factura-irpf.pdf')
    const traceId = 'c0ffee00c0ffee00c0ffee00c0ffee00'
    await api().upload('/extract', [{ name: 'd.pdf', bytes }], { traceparent: `00-${traceId}-00f067aa0ba902b7-01` })
    const expected = [
      ['gateway', 'POST /extract'],
      ['gateway', 'rpc extract'],
      ['extraction', 'rpc extract'],
      ['identity', 'rpc reserveCredits'],
      ['risk', 'rpc assess'],
      ['notifications', 'db.transaction'],
      ['ledger', 'consume invoice.extracted'],
      ['ledger', 'db.transaction'],
    ]
    await vi.waitFor(
      () => {
        const seen = collector.spans
          .filter((span) => span.traceId === traceId)
          .map(({ service, name }) => `${service}: ${name}`)
        expect(seen).toEqual(expect.arrayContaining(expected.map(([service, name]) => `${service}: ${name}`)))
      },
      { timeout: 30_000, interval: 200 },
    )
  })

  test('a service that is away is said to be away, and nothing is charged', async () => {
    const before = (await api().get('/quota')).body.used
    await cluster.kill('extraction')
    const { bytes } = await sample('factura-digital.pdf')
    const refused = await api().upload('/extract', [{ name: 'c.pdf', bytes }])
    expect([refused.status, refused.body.error_code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(refused.headers.get('retry-after')).toBeTruthy()
    expect((await api().get('/status')).body).toMatchObject({ status: 'degraded' })
    await cluster.start('extraction')
    expect((await api().upload('/extract', [{ name: 'c.pdf', bytes }])).status).toBe(200)
    expect(Number((await api().get('/quota')).body.used)).toBe(Number(before) + 1)
  })

  test('no secret is in any log', async () => {
    const planted = [key, account.password, account.token, String(cluster.environment.MASTER_KEY)]
    for (const secret of planted) expect(cluster.logs()).not.toContain(secret)
  })
})
