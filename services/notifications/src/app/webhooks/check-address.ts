import { fail } from '@asiento/proto/errors'
import { webhookEvents } from '@asiento/proto/schemas/webhooks'
import type { WebhookDeps } from './deps.ts'

const probeTimeoutMs = 5_000

/** Refuses an address that is not HTTPS or not public, or that does not answer OPTIONS below 500 within 5 s. */
export async function checkAddress({ client }: Pick<WebhookDeps, 'client'>, text: string): Promise<string> {
  const url = URL.canParse(text) ? new URL(text) : refuse('This is not a URL.')
  if (url.protocol !== 'https:') refuse('The URL must begin with https://.')
  if (url.username !== '' || url.password !== '') refuse('The URL must not carry credentials.')
  const probe = await client.send({ method: 'OPTIONS', url: url.href, timeoutMs: probeTimeoutMs })
  const status = probe.responseStatus ?? refuse(`The URL did not answer an OPTIONS request: ${probe.error}.`)
  if (status >= 500) refuse(`The URL answered an OPTIONS request with ${status}.`)
  return text
}

const refuse = (detail: string): never => fail('WEBHOOK_INVALID_URL', { detail })

/** Refuses an unknown kind of event, or none at all. */
export function checkEvents(events: readonly string[]): string[] {
  const valid = ['*', ...webhookEvents]
  const unknown = events.find((event) => !valid.includes(event))
  if (unknown !== undefined || events.length === 0) {
    const found = unknown === undefined ? 'No event is named' : `${unknown} is not an event`
    fail('WEBHOOK_INVALID_EVENT', { detail: `${found}; valid: ${[...webhookEvents, '*'].join(', ')}.` })
  }
  return [...new Set(events)]
}
