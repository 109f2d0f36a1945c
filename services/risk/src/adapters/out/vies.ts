import type { Log } from '@asiento/chassis/log'
import { z } from 'zod'

/** What VIES says of a number; null when it says nothing that counts: away, slow, overloaded, or not making sense. */
export type ViesAnswer = { registered: boolean } | null

export interface Vies {
  ask(country: string, number: string): Promise<ViesAnswer>
}

export interface ViesOptions {
  /** Base address; `POST {url}/check-vat-number`. */
  url: string
  timeoutMs: number
  /** Failures in a row after which it is left alone. */
  failuresMax: number
  /** For how long. */
  restMs: number
  now: () => number
  log: Log
}

const answerSchema = z.object({
  valid: z.boolean(),
  countryCode: z.string().optional(),
  vatNumber: z.string().optional(),
  userError: z.string().optional(),
  actionSucceed: z.boolean().optional(),
})

/**
 * The REST interface of VIES behind a timeout and a circuit breaker: after {@link ViesOptions.failuresMax} failures in
 * a row nobody waits for it during {@link ViesOptions.restMs}, then a single call tries again. Never rejects.
 */
export function createVies(options: ViesOptions): Vies {
  let failures = 0
  let closedUntil = 0
  let trying = false
  return {
    async ask(country, number) {
      if (failures >= options.failuresMax) {
        if (options.now() < closedUntil || trying) return null
        trying = true
      }
      try {
        const answer = await post(options, country, number)
        failures = 0
        return answer
      } catch (error) {
        failures += 1
        closedUntil = options.now() + options.restMs
        options.log.warn({ err: error, failures }, 'VIES did not answer')
        return null
      } finally {
        trying = false
      }
    },
  }
}

/** Fails when the service is away; null when it answers without a verdict. */
async function post({ url, timeoutMs }: ViesOptions, countryCode: string, vatNumber: string): Promise<ViesAnswer> {
  const response = await fetch(`${url.replace(/\/+$/, '')}/check-vat-number`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ countryCode, vatNumber }),
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`status ${response.status}`)
  }
  const answer = answerSchema.parse(await response.json())
  const unavailable = answer.userError !== undefined && !['VALID', 'INVALID', ''].includes(answer.userError)
  if (answer.actionSucceed === false || unavailable) throw new Error(answer.userError ?? 'no action')
  const aboutAnother =
    (answer.countryCode ?? countryCode) !== countryCode || bare(answer.vatNumber ?? vatNumber) !== bare(vatNumber)
  return aboutAnother ? null : { registered: answer.valid }
}

const bare = (number: string): string => number.toUpperCase().replace(/[^A-Z0-9]/g, '')
