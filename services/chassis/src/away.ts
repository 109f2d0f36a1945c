import { AppError } from '@asiento/proto/errors'

/** Classes of SQLSTATE: connection exceptions, too few resources, an operator's intervention, a lost race. */
const passingStates = /^(08|40|53|57P)/
const passingCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** What pg says without a code. */
const passingMessages = /^(timeout exceeded when trying to connect|Connection terminated)/

/**
 * True for a failure that says nothing about the work itself: a service, the database or the network is away for a
 * while, and the same work will go through once it is back.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AppError) return error.code === 'SERVICE_UNAVAILABLE'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (passingCodes.has(code) || passingStates.test(code) || passingMessages.test(error.message)) return true
  return isAway(error.cause)
}
