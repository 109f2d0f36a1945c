import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/** A webhook's secret made ready for both signatures. */
export interface SigningKeys {
  /** The secret's whole text. */
  plain: KeyObject
  /** `whsec_` and base64 is the key in base64; any other text is the key itself. */
  standard: KeyObject
}

export function signingKeys(secret: string): SigningKeys {
  const plain = createSecretKey(secret, 'utf8')
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1]
  return { plain, standard: encoded === undefined ? plain : createSecretKey(encoded, 'base64') }
}

export interface SigningInput {
  deliveryId: string
  event: string
  /** The exact bytes that are sent. */
  body: Buffer
  /** Unix seconds of this attempt. */
  timestamp: number
  keys: SigningKeys
  /** Those before them while a rotation lasts. */
  previousKeys: SigningKeys | null
}

/**
 * The headers that let a receiver check a delivery: `X-Factura-Signature` (HMAC-SHA256 over the body, keyed with the
 * secret's whole text) and the three of Standard Webhooks 1.0 (over `id.timestamp.body`, keyed with the decoded secret).
 */
export function signatureHeaders(input: SigningInput): Record<string, string> {
  const { deliveryId, event, timestamp, keys, previousKeys } = input
  const all = previousKeys === null ? [keys] : [keys, previousKeys]
  return {
    'x-factura-signature': plain(keys, input.body),
    ...(previousKeys === null ? {} : { 'x-factura-signature-previous': plain(previousKeys, input.body) }),
    'x-factura-event': event,
    'x-factura-delivery': deliveryId,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': all.map((each) => standard(each, input)).join(' '),
  }
}

const plain = (keys: SigningKeys, body: Buffer): string =>
  `sha256=${createHmac('sha256', keys.plain).update(body).digest('hex')}`

const standard = (keys: SigningKeys, { deliveryId, timestamp, body }: SigningInput): string =>
  `v1,${createHmac('sha256', keys.standard).update(`${deliveryId}.${timestamp}.`).update(body).digest('base64')}`
