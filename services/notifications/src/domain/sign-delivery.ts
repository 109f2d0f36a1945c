import { createHmac } from 'node:crypto'

export interface SigningInput {
  deliveryId: string
  event: string
  /** The exact bytes that are sent. */
  body: Buffer
  /** Unix seconds of this attempt. */
  timestamp: number
  secret: string
  /** The one before it while a rotation lasts. */
  previousSecret: string | null
}

/**
 * The headers that let a receiver check a delivery: `X-Factura-Signature` (HMAC-SHA256 over the body, keyed with the
 * secret's whole text) and the three of Standard Webhooks 1.0 (over `id.timestamp.body`, keyed with the decoded secret).
 */
export function signatureHeaders(input: SigningInput): Record<string, string> {
  const { deliveryId, event, timestamp, secret, previousSecret } = input
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret]
  return {
    'x-factura-signature': plain(secret, input.body),
    ...(previousSecret === null ? {} : { 'x-factura-signature-previous': plain(previousSecret, input.body) }),
    'x-factura-event': event,
    'x-factura-delivery': deliveryId,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((each) => standard(each, input)).join(' '),
  }
}

const plain = (secret: string, body: Buffer): string =>
  `sha256=${createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex')}`

const standard = (secret: string, { deliveryId, timestamp, body }: SigningInput): string =>
  `v1,${createHmac('sha256', standardKey(secret)).update(`${deliveryId}.${timestamp}.`).update(body).digest('base64')}`

/** `whsec_` and base64 is the key in base64; any other text is the key itself. */
function standardKey(secret: string): Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1]
  return encoded === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64')
}
