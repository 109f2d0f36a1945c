import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StandaloneProcess, startStandaloneProcess, temporaryDataFolder } from '../provision/standalone.ts'
import { client, mandatoryFields, sample, sampleNames } from './api.ts'

describe('the main job on a fresh machine', () => {
  let folder: { path: string; remove(): Promise<void> }
  let asiento: StandaloneProcess
  const api = () => client(asiento.demo.base_url, { 'x-api-key': asiento.demo.api_key })

  beforeAll(async () => {
    folder = await temporaryDataFolder()
    asiento = await startStandaloneProcess(folder.path)
  })
  afterAll(async () => {
    await asiento?.kill('SIGTERM')
    await folder?.remove()
  })

  test('answers on /health and shows a curl line to paste', async () => {
    expect((await api().get('/health')).body).toEqual({ status: 'ok' })
    expect(asiento.output()).toContain(`-H 'X-API-Key: ${asiento.demo.api_key}'`)
  })

  test.each(sampleNames)('reads the mandatory fields of %s', async (name) => {
    const { bytes, truth } = await sample(name)
    const { status, body, headers } = await api().upload('/extract', [{ name, bytes }])
    expect(status).toBe(200)
    expect(body).toMatchObject(Object.fromEntries(mandatoryFields.map((field) => [field, truth[field]])))
    expect(Number(headers.get('x-quota-used'))).toBeGreaterThan(0)
    expect(headers.get('x-quota-limit')).toBe('5000')
    for (const field of mandatoryFields) expect(body.field_evidence).toHaveProperty([field, 'bbox'])
  })

  test('an error costs nothing and says what is wrong', async () => {
    const used = async () => (await api().get('/quota')).body.used
    const before = await used()
    const pdf = (await sample('factura-digital.pdf')).bytes
    const cases: [string, number, string, Parameters<ReturnType<typeof api>['upload']>[1]][] = [
      ['wrong magic bytes', 400, 'FILE_CONTENT_MISMATCH', [{ name: 'a.pdf', bytes: Buffer.from('hello world') }]],
      ['unknown format', 400, 'FILE_TYPE_INVALID', [{ name: 'a.txt', bytes: Buffer.from('hello world') }]],
      ['another format', 400, 'FILE_CONTENT_MISMATCH', [{ name: 'a.png', bytes: pdf }]],
      ['empty', 400, 'INVALID_INPUT', [{ name: 'a.pdf', bytes: Buffer.alloc(0) }]],
      ['corrupt', 400, 'FILE_TYPE_INVALID', [{ name: 'a.pdf', bytes: Buffer.from('%PDF-1.7\nnot really\n%%EOF') }]],
      ['truncated', 400, 'FILE_TYPE_INVALID', [{ name: 'a.pdf', bytes: pdf.subarray(0, 900) }]],
      ['one byte too large', 413, 'FILE_TOO_LARGE', [{ name: 'a.pdf', bytes: Buffer.alloc(20 * 1024 ** 2 + 1, 1) }]],
      ['missing part', 400, 'INVALID_INPUT', [{ name: 'a.pdf', bytes: pdf, field: 'document' }]],
    ]
    for (const [what, status, code, files] of cases) {
      const answer = await api().upload('/extract', files)
      expect([what, answer.status, answer.body.error_code]).toEqual([what, status, code])
      expect(Object.keys(answer.body).sort()).toEqual(['detail', 'error_code'])
      expect(answer.headers.get('x-request-id')).toBeTruthy()
    }
    const nobody = await client(asiento.demo.base_url).upload('/extract', [{ name: 'a.pdf', bytes: pdf }])
    expect([nobody.status, nobody.body.error_code]).toEqual([401, 'AUTH_REQUIRED'])
    expect(await used()).toBe(before)
    expect((await api().get('/health')).status).toBe(200)
  })

  test('the same idempotent request is done and charged once, and replayed byte for byte', async () => {
    const { bytes } = await sample('factura-irpf.pdf')
    const headers = { 'x-idempotency-key': 'e2e-1' }
    const send = () => api().upload('/extract', [{ name: 'factura-irpf.pdf', bytes }], headers)
    const before = Number((await api().get('/quota')).body.used)
    const answers = await Promise.all([send(), send(), send()])
    const late = await send()
    for (const answer of [...answers, late]) expect(answer.bytes.equals(late.bytes)).toBe(true)
    expect(late.headers.get('x-idempotency-replayed')).toBe('true')
    expect(Number((await api().get('/quota')).body.used)).toBe(before + 1)
    const other = await api().upload('/extract', [{ name: 'other.pdf', bytes }], headers)
    expect([other.status, other.body.error_code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED'])
  })

  test('GraphQL answers the same under the same rules', async () => {
    const query =
      '{ me { email plan } quota { used quota } history(first: 1) { totalCount nodes { logId vendorName } } }'
    const { email, password } = asiento.demo
    const login = await api().send('POST', '/auth/login', { email, password })
    const person = client(asiento.demo.base_url, { authorization: `Bearer ${login.body.access_token}` })
    const { body } = await person.send('POST', '/graphql', { query })
    expect(body).toMatchObject({ data: { me: { plan: 'business' }, quota: { quota: 5000 } } })
    const nobody = await client(asiento.demo.base_url).send('POST', '/graphql', { query: '{ quota { used } }' })
    expect(nobody.body).toMatchObject({ errors: [{ extensions: { error_code: 'AUTH_REQUIRED' } }] })
  })

  test('only what works is advertised, and all of it is described', async () => {
    const { body } = await api().get('/openapi.json')
    const document = body as unknown as { openapi: string; paths: Record<string, unknown> }
    expect(document.openapi).toBe('3.1.0')
    expect(document.paths).toHaveProperty('/extract')
    expect((await api().get('/no-such-thing')).body.error_code).toBe('NOT_FOUND')
    expect((await api().delete('/extract')).body.error_code).toBe('METHOD_NOT_ALLOWED')
  })
})
