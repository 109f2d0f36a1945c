import { scopeOf } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { Download, FileRule, Operation } from '@asiento/proto/operation'
import { limits } from '@asiento/proto/plans'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AdmitDeps, admit } from '../admit.ts'
import { encode, type InvokeDeps, invoke, type Outcome } from '../invoke.ts'
import { streamEvents } from './events.ts'
import { headersOf, visitorOf } from './request-context.ts'
import { sessionHeaders } from './session-cookie.ts'
import { discard, type ReceivedFiles, receiveBody, receiveForm } from './upload.ts'

export type RouteDeps = AdmitDeps & InvokeDeps

/** A path of the table in the router's words. */
export const routeUrl = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** Registers the REST route of one row of the operation table. It translates HTTP and nothing else. */
export function registerRoute(server: FastifyInstance, operation: Operation, deps: RouteDeps): void {
  server.route({
    method: operation.method,
    url: routeUrl(operation.path),
    bodyLimit: bodyBytesMax(operation),
    onRequest: async (request, reply) => {
      request.operation = operation
      const admission = await admit(deps, operation, visitorOf(request))
      request.actor = admission.actor
      reply.headers(admission.headers)
    },
    handler: (request, reply) => handle(deps, operation, request, reply),
    onError: async (request, reply) => addQuotaHeaders(deps, operation, request, reply),
  })
}

/** Of a JSON body, which is read whole; forms and XML are metered part by part as they stream. */
function bodyBytesMax({ body }: Operation): number {
  return (body !== undefined && 'bytesMax' in body ? body.bytesMax : undefined) ?? limits.jsonBodyBytesMax
}

async function handle(
  deps: RouteDeps,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const received = await receive(deps, operation, request)
  try {
    const header = headersOf(request)
    const idempotencyKey = header('x-idempotency-key')
    const invocation = {
      actor: request.actor,
      requestId: request.id,
      params: request.params,
      query: request.query,
      body: received.files.length > 0 || received.form ? received.fields : request.body,
      files: received.files,
      header,
      path: request.url.split('?')[0] ?? operation.path,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    }
    if (operation.response.kind === 'events') return streamEvents(deps, operation, invocation, reply)
    const outcome = await invoke(deps, operation, invocation)
    await addQuotaHeaders(deps, operation, request, reply)
    if (outcome.kind === 'value') reply.headers(sessionHeaders(deps.config, operation, request, outcome.value))
    return await answer(deps, operation, outcome, reply)
  } finally {
    // What the service keeps it has moved to a place of its own.
    await discard(deps, received.files)
  }
}

type Received = ReceivedFiles & { form: boolean }

async function receive(deps: RouteDeps, operation: Operation, request: FastifyRequest): Promise<Received> {
  const nothing = { files: [], fields: {}, form: false }
  const rule = operation.body
  if (rule === undefined || rule.kind === 'json') return nothing
  if (request.isMultipart()) return { ...(await receiveForm(deps, request, rule.files)), form: true }
  const contentType = request.headers['content-type'] ?? ''
  if (rule.kind === 'xml' && /^(application|text)\/xml\b/i.test(contentType)) {
    return { ...(await receiveBody(deps, request, rule.files)), form: false }
  }
  if (rule.kind === 'json_or_files' && /^application\/json\b/i.test(contentType)) return nothing
  return fail('INVALID_INPUT', { detail: expected(rule.kind, rule.files) })
}

const expected = (kind: string, files: FileRule): string =>
  kind === 'xml'
    ? `Send the XML as multipart field "${files.fields[0]}" or as a body of type application/xml.`
    : `Send multipart/form-data with the field "${files.fields[0]}"${kind === 'json_or_files' ? ', or JSON' : ''}.`

/** X-Quota headers show the quota that the call draws on, on every authenticated answer. */
async function addQuotaHeaders(
  deps: RouteDeps,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (operation.quotaHeaders !== true || request.actor === null) return
  const context = { actor: request.actor, requestId: request.id }
  const quota = await deps.rpc.identity.quotaOf(scopeOf(request.actor), context).catch(() => null)
  if (quota === null) return
  reply.headers({
    'x-quota-used': String(quota.used),
    'x-quota-limit': String(quota.quota),
    'x-quota-remaining': String(quota.remaining),
  })
}

async function answer(
  deps: RouteDeps,
  operation: Operation,
  outcome: Outcome,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (outcome.kind === 'text') {
    if (outcome.replayed) reply.header('x-idempotency-replayed', 'true')
    return reply.status(outcome.status).header('content-type', outcome.contentType).send(outcome.body)
  }
  const { response } = operation
  if (response.kind === 'empty') return reply.status(204).send()
  if (response.kind === 'text') return reply.type('text/plain; charset=utf-8').send(String(outcome.value))
  const isFile = response.kind === 'file' || (response.kind === 'json_or_file' && isDownload(outcome.value))
  if (isFile) return sendFile(deps, outcome.value as Download, reply)
  return reply
    .status(response.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(encode(outcome.value))
}

const isDownload = (value: unknown): boolean => value !== null && typeof value === 'object' && 'objectKey' in value

async function sendFile(deps: RouteDeps, download: Download, reply: FastifyReply): Promise<FastifyReply> {
  const found = await deps.objects.stream(download.objectKey)
  if (found === null) return fail('NOT_FOUND', { detail: 'The file is not kept any more.' })
  if (download.temporary === true) {
    found.body.once('close', () => {
      deps.objects
        .delete(download.objectKey)
        .catch((error) => deps.log.warn({ err: error }, 'temporary file not deleted'))
    })
  }
  return reply
    .status(200)
    .headers({
      'content-type': download.contentType,
      'content-length': String(found.sizeBytes),
      'content-disposition': disposition(download),
    })
    .send(found.body)
}

/** RFC 6266: a plain name for old clients and the real one in UTF-8. */
function disposition({ filename, disposition: kind = 'attachment' }: Download): string {
  const plain = filename.normalize('NFKD').replace(/[^\x20-\x7e]|["\\]/g, '_')
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
