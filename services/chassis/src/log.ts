import { trace } from '@opentelemetry/api'
import { type Logger, pino } from 'pino'

export type Log = Logger

/**
 * A JSON logger whose lines carry the trace they belong to. Fields that may hold secrets are replaced before they are
 * written, whatever the caller passes.
 */
export const createLog = (options: { name: string; level: string; destination?: NodeJS.WritableStream }): Log =>
  pino(
    {
      name: options.name,
      level: options.level,
      base: { service: options.name },
      redact: {
        paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[removed]',
      },
      mixin: () => {
        const span = trace.getActiveSpan()?.spanContext()
        return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
      },
    },
    options.destination ?? process.stderr,
  )

const secretFields = [
  'password',
  'new_password',
  'authorization',
  'cookie',
  'token',
  'access_token',
  'id_token',
  'secret',
  'api_key',
  'apiKey',
  'raw_key',
  'p12_b64',
  'p12_password',
  '["x-api-key"]',
  '["x-p12-b64"]',
  '["x-p12-password"]',
]
