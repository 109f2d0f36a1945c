import { describe, expect, test } from 'vitest'
import type { ClaimedDelivery } from '../src/app/webhooks/claim-deliveries.ts'
import { createDeliveryLanes } from '../src/app/webhooks/delivery-lanes.ts'

const webhook = (id: number, url = `https://example.com/${id}`) => ({
  id,
  user_id: 1,
  url,
  secret: { kid: 'k', wrapped_key: '', sealed: '' },
  previous_secret: null,
  previous_until: null,
  failing_since: null,
})

const delivery = (webhookId: number, id: string): ClaimedDelivery => ({
  id,
  event: { id, event: 'invoice.extracted', body: Buffer.from('{}'), test: false },
  webhook: webhook(webhookId),
  attempts: 0,
  tries: 0,
  holder: 'h',
  leaseUntil: new Date(),
})

function lanesWith(bounds: { perDestination: number; concurrency: number }, deliveries: ClaimedDelivery[]) {
  const lanes = createDeliveryLanes(bounds)
  for (const each of deliveries) lanes.add(each)
  const started = () => {
    const out: ClaimedDelivery[] = []
    for (let next = lanes.next(); next !== undefined; next = lanes.next()) out.push(next)
    return out
  }
  return { lanes, started }
}

const idsOf = (deliveries: ClaimedDelivery[]) => deliveries.map(({ id }) => id)

describe('delivery lanes', () => {
  test('give each webhook its turn, in order, and no more places than it has', () => {
    const { lanes, started } = lanesWith({ perDestination: 2, concurrency: 100 }, [
      ...['a1', 'a2', 'a3', 'a4'].map((id) => delivery(1, id)),
      ...['b1', 'b2'].map((id) => delivery(2, id)),
    ])
    const first = started()
    expect(idsOf(first)).toEqual(['a1', 'b1', 'a2', 'b2'])
    expect([lanes.sending(), lanes.waiting(), lanes.busyOf(1), lanes.busyOf(2)]).toEqual([4, 2, 4, 2])
    for (const each of first.slice(0, 2)) lanes.end(each)
    expect(idsOf(started())).toEqual(['a3'])
  })

  test('begin no more than there are places in all', () => {
    const { lanes, started } = lanesWith(
      { perDestination: 4, concurrency: 3 },
      [1, 2, 3, 4, 5].map((id) => delivery(id, String(id))),
    )
    const [first, ...others] = started()
    expect(idsOf(others)).toEqual(['2', '3'])
    if (first !== undefined) lanes.end(first)
    expect(idsOf(started())).toEqual(['4'])
  })

  test('give out what waits for a webhook, and forget webhooks with nothing to do', () => {
    const { lanes, started } = lanesWith(
      { perDestination: 1, concurrency: 9 },
      ['a1', 'a2', 'a3'].map((id) => delivery(1, id)),
    )
    const [sending] = started()
    expect(idsOf(lanes.empty(1))).toEqual(['a2', 'a3'])
    expect([lanes.empty(1), lanes.waiting(), lanes.busy()]).toEqual([[], 0, new Map([[1, 1]])])
    if (sending !== undefined) lanes.end(sending)
    expect([lanes.webhookIds(), lanes.sending(), lanes.next()]).toEqual([[], 0, undefined])
  })

  test('send what waits to the webhook as it is now', () => {
    const { lanes, started } = lanesWith({ perDestination: 1, concurrency: 9 }, [delivery(1, 'a1'), delivery(1, 'a2')])
    const [first] = started()
    lanes.refresh(webhook(1, 'https://example.com/new'))
    if (first !== undefined) lanes.end(first)
    expect([first, ...started()].map((each) => each?.webhook.url)).toEqual([
      'https://example.com/1',
      'https://example.com/new',
    ])
  })
})
