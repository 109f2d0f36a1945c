import { AppError, ValidationFailure } from '@asiento/proto/errors'
import { type CallContext, operationsOf, procedures } from '@asiento/proto/rpc'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../src/log.ts'
import { callables, remoteClient } from '../src/rpc.ts'
import { serveRpc } from '../src/rpc-server.ts'

const keyOf = (fill: number) => [{ kid: 'k1', bytes: Buffer.alloc(32, fill) }]
const context: CallContext = { actor: null, requestId: 'request-1', workId: 'work-1' }
const scope = { userId: 1, keyId: null, subaccountId: null, sandbox: false }
const issues = [{ loc: ['body', 'amount'], msg: 'Field required', type: 'missing' }]
const refused = new AppError('QUOTA_EXCEEDED', { headers: { 'x-quota-used': '3' } })

let heard: { input: unknown; context: CallContext } | undefined
let server: Awaited<ReturnType<typeof serveRpc>>
const clientOf = (port: number, fill = 1) =>
  remoteClient<'identity'>({ service: 'identity', url: `http://127.0.0.1:${port}`, keys: keyOf(fill) })

beforeAll(async () => {
  const nothing = async () => undefined
  const names = [...Object.keys(procedures.identity), ...operationsOf('identity').map(({ id }) => id)]
  const handlers = {
    ...Object.fromEntries(names.map((name) => [name, nothing])),
    quotaOf: async (input: unknown, given: CallContext) => {
      heard = { input, context: given }
      return { plan: 'pro', note: 'ñ €' }
    },
    actorFor: () => Promise.reject(refused),
    subaccountExists: () => Promise.reject(new ValidationFailure(issues)),
    subaccountUsage: () => Promise.reject(new Error('the password is tacos')),
  }
  server = await serveRpc({
    service: 'identity',
    functions: callables('identity', handlers),
    keys: keyOf(1),
    host: '127.0.0.1',
    port: 0,
    log: createLog({ name: 'test', level: 'silent' }),
  })
})
afterAll(() => server.close())

test('a call carries its input and context there and the value back', async () => {
  expect(await clientOf(server.port).quotaOf(scope, context)).toEqual({ plan: 'pro', note: 'ñ €' })
  expect(heard).toEqual({ input: scope, context })
  expect(
    await clientOf(server.port).logout({ params: {}, query: {}, body: undefined, files: [], headers: {} }, context),
  ).toBe(undefined)
})

test('a failure there is the same failure here; the inside of an unexpected one stays there', async () => {
  const client = clientOf(server.port)
  await expect(client.actorFor(scope, context)).rejects.toMatchObject({
    code: 'QUOTA_EXCEEDED',
    headers: { 'x-quota-used': '3' },
  })
  await expect(client.subaccountExists({ subaccountId: 1 }, context)).rejects.toMatchObject({ issues })
  const failure: unknown = await client.subaccountUsage({ subaccountId: 1 }, context).catch((error) => error)
  expect(failure).toMatchObject({ code: 'SERVICE_ERROR' })
  expect(JSON.stringify(failure)).not.toContain('tacos')
})

test('a caller without the internal key is refused', async () => {
  heard = undefined
  await expect(clientOf(server.port, 2).quotaOf(scope, context)).rejects.toMatchObject({ code: 'AUTH_INVALID_TOKEN' })
  expect(heard).toBeUndefined()
})

test('a service that is away, or is something else, is SERVICE_UNAVAILABLE with Retry-After', async () => {
  const closed = await serveRpc({
    service: 'identity',
    functions: {},
    keys: keyOf(1),
    host: '127.0.0.1',
    port: 0,
    log: createLog({ name: 'test', level: 'silent' }),
  })
  const unavailable = { code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '2' } }
  // It has no function of that name: 404 without an envelope.
  await expect(clientOf(closed.port).quotaOf(scope, context)).rejects.toMatchObject(unavailable)
  await closed.close()
  await expect(clientOf(closed.port).quotaOf(scope, context)).rejects.toMatchObject(unavailable)
})
