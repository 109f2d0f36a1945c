import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import '../src/kafkajs-queue.ts'

const require = createRequire(import.meta.url)
const RequestQueue = require('kafkajs/src/network/requestQueue')
const InstrumentationEventEmitter = require('kafkajs/src/instrumentation/emitter')

const silent = { debug: () => {}, warn: () => {}, error: () => {} }

function queueOf(options: { maxInFlightRequests: number }) {
  const queue = new RequestQueue({
    ...options,
    requestTimeout: 1_000,
    enforceRequestTimeout: false,
    clientId: 'test',
    broker: 'here:9092',
    logger: silent,
    isConnected: () => true,
    instrumentationEmitter: new InstrumentationEventEmitter(),
  })
  const sent: number[] = []
  const push = (correlationId: number) =>
    queue.push({
      entry: { correlationId, apiName: 'Fetch', apiKey: 1, apiVersion: 1, resolve: () => {}, reject: () => {} },
      expectResponse: true,
      sendRequest: () => sent.push(correlationId),
    })
  return { queue, sent, push }
}

test('an empty queue waits for nothing, and a full one sends what waits as soon as there is room', async () => {
  const { queue, sent, push } = queueOf({ maxInFlightRequests: 1 })
  push(1)
  queue.fulfillRequest({ correlationId: 1, payload: null, size: 0 })
  expect(queue.throttleCheckTimeoutId ?? null).toBeNull()
  push(2)
  push(3)
  expect(sent).toEqual([1, 2])
  queue.fulfillRequest({ correlationId: 2, payload: null, size: 0 })
  expect(sent).toEqual([1, 2, 3])
})

test('a throttled queue sends what waits when the throttle ends', async () => {
  const { queue, sent, push } = queueOf({ maxInFlightRequests: 5 })
  queue.maybeThrottle(30)
  push(1)
  expect(sent).toEqual([])
  await expect.poll(() => sent).toEqual([1])
})
