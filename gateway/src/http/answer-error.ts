import type { Log } from '@asiento/chassis/log'
import { AppError, type ErrorCode, errorTable, failure, ValidationFailure } from '@asiento/proto/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Answers a failure: a row of the error table as `{ error_code, detail }`, a schema failure as 422 with FastAPI's body,
 * anything else as SERVICE_ERROR without a word about its inside.
 *
 * @returns the code for the request log, null for a 422
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): ErrorCode | null {
  if (error instanceof ValidationFailure) {
    reply.status(422).send({ detail: error.issues })
    return null
  }
  const known = error instanceof AppError ? error : fromFastify(error)
  const { level } = errorTable[known.code]
  log[level](
    { err: level === 'info' ? undefined : (known.cause ?? known), code: known.code, url: request.routeOptions.url },
    known.message,
  )
  reply.headers(known.headers).status(known.http).send({ error_code: known.code, detail: known.detail })
  return known.code
}

/** What the HTTP server itself refuses, in the words of the table. */
function fromFastify(error: unknown): AppError | never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return failure('PAYLOAD_TOO_LARGE')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return failure('INVALID_INPUT', { detail: 'This content type is not supported here.' })
  }
  if (code === 'FST_ERR_CTP_EMPTY_TYPE' || code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') {
    return failure('INVALID_INPUT', { detail: 'The body cannot be read.' })
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status === 404) return failure('NOT_FOUND')
  if (status >= 400 && status < 500)
    return failure('INVALID_INPUT', { detail: 'The request cannot be read.', cause: error })
  return failure('SERVICE_ERROR', { cause: error })
}
