import { readFileSync } from 'node:fs'
import { type ErrorCode, errorCodes, errorTable } from '@asiento/proto/errors'
import type { Operation } from '@asiento/proto/operation'
import { z } from 'zod'
import { graphQLAnswer, graphQLQuery, graphQLRequest } from './graphql/messages.ts'

type Json = Record<string, unknown>

/** Bodies and answers recorded from a running house by `test/door/record-examples.ts`, by operation. */
export const recordedExamples: Record<string, { request?: unknown; response?: unknown }> = JSON.parse(
  readFileSync(new URL('../data/examples.json', import.meta.url), 'utf8'),
)

/** What the row itself shows, else what was recorded. */
const exampleOf = (operation: Operation, part: 'request' | 'response'): Json => {
  const example = operation.examples?.[part] ?? recordedExamples[operation.id]?.[part]
  return example === undefined ? {} : { example }
}

const errorSchema = z.object({
  error_code: z.enum(errorCodes),
  detail: z.string().meta({ description: 'Human text; it may change. Decide by error_code.' }),
})

const validationSchema = z.object({
  detail: z.array(
    z.object({
      loc: z.array(z.union([z.string(), z.number()])),
      msg: z.string(),
      type: z.string(),
    }),
  ),
})

const responseHeaders = {
  'X-Request-ID': header("The request's id: the caller's own, or a new one."),
  RateLimit: header('Requests left in this minute and seconds until the window moves.'),
  'RateLimit-Policy': header('Requests a minute.'),
}

const quotaHeaders = {
  'X-Quota-Used': header('Credits used in this period.'),
  'X-Quota-Limit': header('Credits of this period.'),
  'X-Quota-Remaining': header('Credits left in this period.'),
}

/** The OpenAPI 3.1 document of the operations that work, made from their rows. */
export function openApiDocument(operations: readonly Operation[], publicUrl: string): Json {
  const paths: Record<string, Json> = {}
  const named: Json = {}
  for (const operation of operations) {
    const methods = paths[operation.path] ?? {}
    methods[operation.method.toLowerCase()] = hoist(describe(operation), named)
    paths[operation.path] = methods
  }
  const requestBody = { required: true, content: { 'application/json': { schema: schemaOf(graphQLRequest, 'input') } } }
  paths['/graphql'] = {
    get: hoist(
      graphQL('graphqlQuery', 'A query or subscription', { parameters: queryParameters(graphQLQuery) }),
      named,
    ),
    post: hoist(graphQL('graphql', 'Every operation as a field, under the same rules', { requestBody }), named),
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Asiento',
      version: '1.0.0',
      description:
        'Spanish invoices read into JSON, Facturae 3.2.2 made and signed, fraud checks, PGC accounts and a ledger.',
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(operations.map((operation) => operation.tag)), 'GraphQL'].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
      schemas: {
        ...named,
        Error: schemaOf(errorSchema, 'output'),
        HTTPValidationError: schemaOf(validationSchema, 'output'),
      },
    },
  }
}

function describe(operation: Operation): Json {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: security(operation),
    parameters: parameters(operation),
    ...requestBody(operation),
    responses: { [String(operation.response.status)]: success(operation), ...failures(operation) },
  }
}

/** The one endpoint of GraphQL: its fields are described by its own schema, which introspection tells. */
function graphQL(operationId: string, summary: string, request: Json): Json {
  const answer = schemaOf(graphQLAnswer, 'output')
  const json = (description: string, schema: unknown): Json => ({
    description,
    headers: responseHeaders,
    content: { 'application/json': { schema } },
  })
  return {
    operationId,
    tags: ['GraphQL'],
    summary,
    description:
      'Queries are the reads, mutations the writes. The code of a failure is `errors[].extensions.error_code`; the status stays 200 where the query itself could be carried out.',
    security: [{ apiKey: [] }, { bearer: [] }, {}],
    ...request,
    responses: {
      ...failuresOf(['PAYLOAD_TOO_LARGE', 'SERVICE_ERROR', 'SERVICE_UNAVAILABLE'], false),
      200: json('Data, errors, or both.', answer),
      400: json('No query that could be carried out.', { anyOf: [answer, errorOf(['INVALID_INPUT'])] }),
    },
  }
}

function security(operation: Operation): Json[] {
  if (operation.auth === 'none') return []
  if (operation.auth === 'key') return [{ apiKey: [] }]
  if (operation.auth === 'jwt') return [{ bearer: [] }]
  return [{ apiKey: [] }, { bearer: [] }]
}

function parameters(operation: Operation): Json[] {
  const headers = (operation.headers ?? []).filter((name) => !name.startsWith('x-client-') && name !== 'x-raw-body')
  return [
    ...properties(operation.params).map(({ name, schema }) => ({ name, in: 'path', required: true, schema })),
    ...queryParameters(operation.query),
    ...headers.map((name) => ({ name, in: 'header', required: false, schema: { type: 'string' } })),
    ...(operation.idempotent === true
      ? [
          {
            name: 'X-Idempotency-Key',
            in: 'header',
            required: false,
            schema: { type: 'string', minLength: 1, maxLength: 255 },
          },
        ]
      : []),
  ]
}

const queryParameters = (schema: z.ZodType | undefined): Json[] =>
  properties(schema).map(({ name, schema, required }) => ({ name, in: 'query', required, schema }))

function properties(schema: z.ZodType | undefined): { name: string; schema: unknown; required: boolean }[] {
  if (schema === undefined) return []
  const described = schemaOf(schema, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(described.properties ?? {}).map(([name, property]) => ({
    name,
    schema: property,
    required: described.required?.includes(name) === true,
  }))
}

function requestBody(operation: Operation): Json {
  const rule = operation.body
  if (rule === undefined) return {}
  const content: Json = {}
  if (rule.kind === 'json' || rule.kind === 'json_or_files') {
    content['application/json'] = {
      schema: schemaOf(rule.schema, 'input'),
      ...exampleOf(operation, 'request'),
    }
  }
  if (rule.kind !== 'json') content['multipart/form-data'] = { schema: formSchema(rule) }
  if (rule.kind === 'xml') content['application/xml'] = { schema: { type: 'string' } }
  return { requestBody: { required: !('optional' in rule && rule.optional === true), content } }
}

function formSchema(rule: Exclude<NonNullable<Operation['body']>, { kind: 'json' }>): Json {
  const [field = 'file'] = rule.files.fields
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  const own = 'fields' in rule && rule.fields !== undefined ? (schemaOf(rule.fields, 'input') as Json) : {}
  return {
    type: 'object',
    properties: {
      ...(own.properties as Json | undefined),
      [field]: rule.files.filesMax > 1 ? { type: 'array', items: file, maxItems: rule.files.filesMax } : file,
    },
    required: [...((own.required as string[] | undefined) ?? []), ...(rule.files.required ? [field] : [])],
  }
}

function success(operation: Operation): Json {
  const headers = {
    ...responseHeaders,
    ...(operation.quotaHeaders === true ? quotaHeaders : {}),
    ...(operation.idempotent === true
      ? { 'X-Idempotency-Replayed': header('true where a kept answer is given again.') }
      : {}),
    ...('contentTypes' in operation.response ? { 'Content-Disposition': header('The name of the file.') } : {}),
  }
  return { description: 'Success', headers, ...successContent(operation) }
}

function successContent(operation: Operation): Json {
  const { response } = operation
  if (response.kind === 'empty') return {}
  const files = 'contentTypes' in response ? response.contentTypes : []
  const content: Json = Object.fromEntries(files.map((type) => [type, { schema: { type: 'string' } }]))
  if (response.kind === 'json' || response.kind === 'json_or_file') {
    content['application/json'] = {
      schema: schemaOf(response.schema, 'output'),
      ...exampleOf(operation, 'response'),
    }
  }
  if (response.kind === 'text') content['text/plain'] = { schema: { type: 'string' } }
  if (response.kind === 'events') content['text/event-stream'] = { schema: { type: 'string' } }
  return { content }
}

const failures = (operation: Operation): Json => failuresOf(codesOf(operation), operation.quotaHeaders === true)

function failuresOf(codes: ErrorCode[], tellsQuota: boolean): Json {
  const byStatus = Map.groupBy(codes, (code) => errorTable[code].http)
  const entries = [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes.map((code) => `${code}: ${errorTable[code].text}`).join('\n\n'),
      headers: {
        ...responseHeaders,
        ...(tellsQuota && status !== 401 ? quotaHeaders : {}),
        ...(status === 429 || status === 503 ? { 'Retry-After': header('Seconds to wait.') } : {}),
        ...(status === 429 ? { 'X-RateLimit-Plan': header('The plan that limits, or anonymous.') } : {}),
      },
      content: { 'application/json': { schema: errorOf(codes) } },
    },
  ])
  const invalid = {
    description: 'A part of the request does not fit its schema.',
    headers: responseHeaders,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/HTTPValidationError' } } },
  }
  return { ...Object.fromEntries(entries), 422: invalid }
}

const errorOf = (codes: ErrorCode[]): Json => ({
  allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { error_code: { enum: codes } } }],
})

/** Every code that an operation may answer: its own, and those that follow from its rules. */
export function codesOf(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    'RATE_LIMIT_EXCEEDED',
    'SERVICE_ERROR',
    'SERVICE_UNAVAILABLE',
    ...(operation.errors ?? []),
  ])
  if (operation.auth !== 'none') {
    codes.add('AUTH_REQUIRED').add('ACCESS_DENIED')
    if (operation.auth !== 'jwt') codes.add('AUTH_INVALID_KEY')
    if (operation.auth !== 'key') codes.add('AUTH_INVALID_TOKEN')
  }
  if (operation.gate !== undefined) codes.add(operation.gateError ?? 'PLAN_REQUIRED')
  if (operation.ledger !== undefined) codes.add('PLAN_REQUIRED')
  if (operation.body !== undefined) codes.add('INVALID_INPUT').add('PAYLOAD_TOO_LARGE')
  if (operation.body !== undefined && 'files' in operation.body) codes.add(operation.body.files.tooLarge)
  if (operation.idempotent === true)
    codes.add('IDEMPOTENCY_KEY_REUSED').add('IDEMPOTENCY_IN_PROGRESS').add('INVALID_INPUT')
  return [...codes]
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => simplifyTuple(jsonSchema),
  })
  return rest
}

/** A tuple of one kind is an array of fixed length: the same, in words that every tool knows. */
function simplifyTuple(schema: z.core.JSONSchema.BaseSchema): void {
  const [first, ...others] = schema.prefixItems ?? []
  if (first === undefined || others.some((other) => JSON.stringify(other) !== JSON.stringify(first))) return
  schema.minItems = schema.maxItems = others.length + 1
  schema.items = first
  delete schema.prefixItems
}

/** Schemas with a name of their own go to the components, where references of a whole document point. */
function hoist<T>(value: T, named: Json): T {
  const walk = (nested: unknown): unknown => {
    if (Array.isArray(nested)) return nested.map(walk)
    if (nested === null || typeof nested !== 'object') return nested
    const { $defs: definitions, ...rest } = nested as { $defs?: Json; id?: unknown }
    for (const [name, definition] of Object.entries(definitions ?? {})) named[name] = walk(definition)
    return Object.fromEntries(
      Object.entries(rest).map(([key, inner]) => [
        key,
        key === '$ref' && typeof inner === 'string'
          ? inner.replace('#/$defs/', '#/components/schemas/')
          : key === 'example' || key === 'examples'
            ? inner
            : walk(inner),
      ]),
    )
  }
  return walk(value) as T
}

function header(description: string): Json {
  return { description, schema: { type: 'string' } }
}
