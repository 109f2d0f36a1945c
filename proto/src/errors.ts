/**
 * The error table of the service: every failure a caller can meet, in one place.
 *
 * `code` is stable between versions; the text may change. The gateway (REST and GraphQL), batch items, consumers and
 * the OpenAPI document all read this table, and {@link fail} is the only way to raise one of its rows.
 */
export const errorTable = {
  AUTH_REQUIRED: { http: 401, retryable: false, level: 'info', text: 'An API key or a bearer token is required.' },
  AUTH_INVALID_KEY: { http: 401, retryable: false, level: 'info', text: 'The API key is wrong, revoked or unknown.' },
  AUTH_INVALID_TOKEN: { http: 401, retryable: false, level: 'info', text: 'The token is expired or not valid.' },
  AUTH_INVALID_CREDENTIALS: { http: 401, retryable: false, level: 'info', text: 'Wrong email or password.' },
  AUTH_PROVIDER_NOT_CONFIGURED: {
    http: 503,
    retryable: false,
    level: 'warn',
    text: 'This sign-in provider is not configured.',
  },
  ACCESS_DENIED: { http: 403, retryable: false, level: 'info', text: 'You have no access to this resource.' },
  QUOTA_EXCEEDED: { http: 429, retryable: false, level: 'info', text: 'The quota of this period is used up.' },
  RATE_LIMIT_EXCEEDED: { http: 429, retryable: true, level: 'info', text: 'Too many requests; wait Retry-After.' },
  PLAN_REQUIRED: { http: 403, retryable: false, level: 'info', text: 'This feature needs a higher plan.' },
  BATCH_NOT_AVAILABLE: { http: 403, retryable: false, level: 'info', text: 'Batches need the Starter plan or above.' },
  BATCH_LIMIT_EXCEEDED: { http: 400, retryable: false, level: 'info', text: 'More files than the plan allows.' },
  FILE_TYPE_INVALID: {
    http: 400,
    retryable: false,
    level: 'info',
    text: 'The file is no readable PDF, PNG, JPG or WebP.',
  },
  FILE_CONTENT_MISMATCH: {
    http: 400,
    retryable: false,
    level: 'info',
    text: 'The extension of the file and its content differ.',
  },
  FILE_TOO_LARGE: { http: 413, retryable: false, level: 'info', text: 'The file is larger than 20 MB.' },
  PAYLOAD_TOO_LARGE: { http: 413, retryable: false, level: 'info', text: 'The request body is too large.' },
  EXTRACTION_FAILED: { http: 500, retryable: true, level: 'error', text: 'The document could not be processed now.' },
  XML_BUILD_FAILED: { http: 500, retryable: true, level: 'error', text: 'The Facturae XML could not be built.' },
  XML_SIGN_FAILED: {
    http: 500,
    retryable: false,
    level: 'warn',
    text: 'Signing failed: the certificate is not valid or its password is wrong.',
  },
  SERVICE_ERROR: { http: 500, retryable: true, level: 'error', text: 'Internal error; try again.' },
  SERVICE_UNAVAILABLE: {
    http: 503,
    retryable: true,
    level: 'warn',
    text: 'Temporarily unavailable; wait Retry-After.',
  },
  CERT_INVALID_FORMAT: { http: 400, retryable: false, level: 'info', text: 'The file is no valid .p12 or .pfx.' },
  CERT_INVALID_PASSWORD: { http: 400, retryable: false, level: 'info', text: 'The password of the .p12 is wrong.' },
  CERT_TOO_LARGE: { http: 400, retryable: false, level: 'info', text: 'The certificate file is larger than 5 MB.' },
  CERT_NOT_FOUND: { http: 404, retryable: false, level: 'info', text: 'No such certificate.' },
  INVOICE_NOT_FOUND: { http: 404, retryable: false, level: 'info', text: 'No such invoice.' },
  JOB_NOT_FOUND: { http: 404, retryable: false, level: 'info', text: 'No such job, or it has expired.' },
  WEBHOOK_NOT_FOUND: { http: 404, retryable: false, level: 'info', text: 'No such webhook.' },
  KEY_NOT_FOUND: { http: 404, retryable: false, level: 'info', text: 'No such key, or it is revoked already.' },
  NOT_FOUND: { http: 404, retryable: false, level: 'info', text: 'Not found.' },
  METHOD_NOT_ALLOWED: { http: 405, retryable: false, level: 'info', text: 'This method is not allowed here.' },
  INVALID_INPUT: { http: 400, retryable: false, level: 'info', text: 'The input is not valid.' },
  INVALID_EMAIL: { http: 400, retryable: false, level: 'info', text: 'The email address is malformed.' },
  DISPOSABLE_EMAIL: {
    http: 400,
    retryable: false,
    level: 'info',
    text: 'Disposable email addresses are not accepted.',
  },
  INVALID_PLAN: { http: 400, retryable: false, level: 'info', text: 'Unknown plan.' },
  INVALID_STATE: {
    http: 409,
    retryable: false,
    level: 'info',
    text: 'The resource is not in a state that allows this.',
  },
  ATTACHMENT_INVALID: {
    http: 400,
    retryable: false,
    level: 'info',
    text: 'The attachment is no PDF or image up to 5 MB.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    http: 409,
    retryable: false,
    level: 'info',
    text: 'This idempotency key was used for a different request.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    http: 409,
    retryable: true,
    level: 'info',
    text: 'The first request with this idempotency key is still running.',
  },
  WEBHOOK_INVALID_EVENT: {
    http: 400,
    retryable: false,
    level: 'info',
    text: 'Unknown event; valid: invoice.extracted, invoice.signed, quota.warning, *.',
  },
  WEBHOOK_INVALID_URL: {
    http: 400,
    retryable: false,
    level: 'info',
    text: 'The URL must be public HTTPS and answer an OPTIONS request.',
  },
  PAYMENT_NOT_CONFIGURED: { http: 503, retryable: true, level: 'warn', text: 'Payments are temporarily unavailable.' },
  PAYMENT_ERROR: { http: 500, retryable: true, level: 'error', text: 'The payment provider failed.' },
} as const satisfies Record<string, ErrorRow>

interface ErrorRow {
  readonly http: number
  readonly retryable: boolean
  readonly level: 'info' | 'warn' | 'error'
  readonly text: string
}

export type ErrorCode = keyof typeof errorTable

export const errorCodes = Object.keys(errorTable) as ErrorCode[]

export interface FailureDetails {
  /** Text for the caller; the row's own text when absent. */
  detail?: string
  /** Text for operators: logged, never sent out. */
  internal?: string
  /** Response headers that belong to the failure, for example `Retry-After`. */
  headers?: Record<string, string>
  cause?: unknown
}

/** A failure of the error table. Made only by {@link fail} and {@link failure}. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly detail: string
  readonly internal: string | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, details: FailureDetails = {}) {
    super(`${code}: ${details.internal ?? details.detail ?? errorTable[code].text}`, { cause: details.cause })
    this.name = 'AppError'
    this.code = code
    this.detail = details.detail ?? errorTable[code].text
    this.internal = details.internal
    this.headers = details.headers ?? {}
  }

  get http(): number {
    return errorTable[this.code].http
  }
}

/** A failure as a value, for results that carry errors (batch items). */
export const failure = (code: ErrorCode, details?: FailureDetails): AppError => new AppError(code, details)

/** Raises a row of the error table. */
export function fail(code: ErrorCode, details?: FailureDetails): never {
  throw new AppError(code, details)
}

/** One field of a request that does not fit its schema; `loc` starts with body, query, path or header. */
export interface ValidationIssue {
  loc: (string | number)[]
  msg: string
  type: string
}

/** A request that does not fit its schema: answered with 422 and FastAPI's HTTPValidationError body. */
export class ValidationFailure extends Error {
  readonly issues: ValidationIssue[]

  constructor(issues: ValidationIssue[]) {
    super(`validation failed: ${issues.map((issue) => `${issue.loc.join('.')}: ${issue.msg}`).join('; ')}`)
    this.name = 'ValidationFailure'
    this.issues = issues
  }
}

/** Raises a {@link ValidationFailure} for one field. */
export function failValidation(loc: (string | number)[], msg: string, type = 'value_error'): never {
  throw new ValidationFailure([{ loc, msg, type }])
}
