import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { LedgerFeature, PlanFeature } from './plans.ts'

export const serviceNames = ['identity', 'extraction', 'facturae', 'risk', 'ledger', 'notifications'] as const
export type ServiceName = (typeof serviceNames)[number]

/** A file that the gateway has streamed into the object store; its bytes never cross an internal call. */
export interface Upload {
  /** The form field it came in; `body` for a raw body. */
  field: string
  objectKey: string
  /** Lower-case hex. */
  sha256: string
  sizeBytes: number
  /** As the client named it, without any path. */
  filename: string
  contentType: string
  /** Set where one file of a batch is refused at the door while the others go on. */
  error?: { code: ErrorCode; detail: string }
}

/** A file that the gateway streams to the client out of the object store. */
export interface Download {
  objectKey: string
  filename: string
  contentType: string
  /** `inline` shows it in the browser. */
  disposition?: 'attachment' | 'inline'
  /** True when the object exists only for this answer and is deleted after it. */
  temporary?: boolean
}

export interface FileRule {
  /** Form fields that carry files, in order of preference. */
  fields: readonly string[]
  required: boolean
  filesMax: number
  bytesMax: number
  tooLarge: ErrorCode
  /** True for batches: a wrong or oversized file becomes an item with an error, not a refusal of the whole. */
  errorsPerItem?: boolean
}

export type BodyRule<B extends z.ZodType = z.ZodType> =
  | { kind: 'json'; schema: B; bytesMax?: number; optional?: boolean }
  | { kind: 'files'; files: FileRule; fields?: z.ZodType }
  /** Multipart with a file, or the XML itself as body (application/xml, text/xml). */
  | { kind: 'xml'; files: FileRule }
  /** JSON of the schema, or multipart with a file. */
  | { kind: 'json_or_files'; schema: B; bytesMax?: number; files: FileRule }

export type ResponseRule<R extends z.ZodType = z.ZodType> =
  | { kind: 'json'; status: 200 | 201; schema: R }
  | { kind: 'empty'; status: 204 }
  | { kind: 'text'; status: 200 }
  | { kind: 'file'; status: 200; contentTypes: readonly string[] }
  /** Server-Sent Events: the state of `schema`, each time it changes, until `ends` says so. */
  | { kind: 'events'; status: 200; schema: R; ends: (state: unknown) => boolean }
  /** JSON, or a file when the handler answers a {@link Download} (for `?format=csv|xlsx`). */
  | { kind: 'json_or_file'; status: 200; schema: R; contentTypes: readonly string[] }

/**
 * One row of the operation table: everything that the gateway enforces and that OpenAPI and GraphQL are made from.
 *
 * The service named here implements a handler of the same `id`.
 */
export interface Operation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  id: string
  /** Who implements it; 'gateway' for what the door itself answers. */
  service: ServiceName | 'gateway'
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** OpenAPI form: `/webhooks/{id}`. */
  path: string
  tag: string
  summary: string
  description?: string
  auth: 'none' | 'key_or_jwt' | 'jwt' | 'key'
  /** Plan feature that must be open; checked before the body is read. */
  gate?: PlanFeature
  /** The code of a closed gate; PLAN_REQUIRED unless named. */
  gateError?: 'PLAN_REQUIRED' | 'BATCH_NOT_AVAILABLE'
  /** Ledger feature that must be open; also keeps subaccount keys out (ACCESS_DENIED). */
  ledger?: LedgerFeature
  /** False where a subaccount's key gets ACCESS_DENIED; true unless named. */
  subaccountKeys?: boolean
  idempotent?: boolean
  /** Not counted in any rate limit; for what balancers and monitors poll. */
  rateExempt?: boolean
  /** The exact text of the body is handed over as header `x-raw-body`, for signatures over it. */
  rawBody?: boolean
  /** X-Quota headers on every authenticated answer. */
  quotaHeaders?: boolean
  params?: P
  query?: Q
  body?: BodyRule<B>
  /** Request headers (lower case) handed to the handler; they belong to the request that idempotency compares. */
  headers?: readonly string[]
  response: ResponseRule<R>
  /** Codes beyond those that follow from auth, gate, body and idempotency. */
  errors?: readonly ErrorCode[]
  examples?: { request?: unknown; response?: unknown }
}

type Output<T> = T extends z.ZodType ? z.output<T> : Record<string, never>

/** What a handler receives: parsed parts, uploads by object key, the named headers. */
export interface OperationInput<P = unknown, Q = unknown, B = unknown> {
  params: P
  query: Q
  /** Undefined where the request came as files; the form's text fields where the row names them. */
  body: B
  files: Upload[]
  headers: Record<string, string>
}

export type InputOf<O> =
  O extends Operation<infer P, infer Q, infer B, infer _R>
    ? OperationInput<
        Output<P>,
        Output<Q>,
        O extends { body: { kind: 'json_or_files' } }
          ? Output<B> | undefined
          : O extends { body: { kind: 'json' } }
            ? Output<B>
            : O extends { body: { kind: 'files'; fields: infer F extends z.ZodType } }
              ? z.output<F>
              : undefined
      >
    : never

type ResponseBody<X> = X extends { kind: 'empty' }
  ? undefined
  : X extends { kind: 'text' }
    ? string
    : X extends { kind: 'file' }
      ? Download
      : X extends { kind: 'json_or_file'; schema: infer R extends z.ZodType }
        ? z.input<R> | Download
        : X extends { schema: infer R extends z.ZodType }
          ? z.input<R>
          : never

export type OutputOf<O> = O extends { response: infer X } ? ResponseBody<X> : never

/** Declares a row; keeps the exact types so that handlers and clients are checked against it. */
export const operation = <
  const O extends Operation<P, Q, B, R>,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(
  row: O & Operation<P, Q, B, R>,
): O => row
