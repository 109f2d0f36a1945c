import { randomUUID } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import type { Log } from '@asiento/chassis/log'
import { type Objects, ObjectTooLargeError } from '@asiento/chassis/objects'
import { fail, failure } from '@asiento/proto/errors'
import type { FileRule, Upload } from '@asiento/proto/operation'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'

export interface UploadDeps {
  objects: Objects
  log: Log
}

export interface ReceivedFiles {
  files: Upload[]
  /** The form's text fields. */
  fields: Record<string, string>
}

const textFieldBytesMax = 64 * 1024

/**
 * Streams the files of a form into the object store, part by part, hashed on the way. A refused or aborted request
 * leaves nothing behind.
 */
export async function receiveForm(deps: UploadDeps, request: FastifyRequest, rule: FileRule): Promise<ReceivedFiles> {
  const received: ReceivedFiles = { files: [], fields: {} }
  try {
    const parts = request.parts({
      limits: {
        files: rule.filesMax + 1,
        fields: 50,
        fieldSize: textFieldBytesMax,
        fileSize: rule.bytesMax + 1,
        parts: 2_000,
      },
    })
    for await (const part of parts) {
      if (part.type === 'field') {
        received.fields[part.fieldname] = String(part.value)
        continue
      }
      if (!rule.fields.includes(part.fieldname)) {
        part.file.resume()
        continue
      }
      if (received.files.length >= rule.filesMax) throw tooMany(rule)
      received.files.push(await storePart(deps, part, rule))
    }
  } catch (error) {
    await discard(deps, received.files)
    throw formFailure(error, rule)
  }
  if (rule.required && received.files.length === 0) {
    fail('INVALID_INPUT', { detail: `A file part is missing: send it as the form field "${rule.fields[0]}".` })
  }
  return received
}

async function storePart(deps: UploadDeps, part: MultipartFile, rule: FileRule): Promise<Upload> {
  const filename = safeFilename(part.filename)
  const common = { field: part.fieldname, filename, contentType: part.mimetype }
  const objectKey = uploadKey()
  try {
    // The parser cuts a part at its limit instead of failing; the store sees one byte too many and refuses it.
    const stored = await deps.objects.put(objectKey, part.file, { bytesMax: rule.bytesMax, temporary: true })
    if (part.file.truncated) throw new ObjectTooLargeError(rule.bytesMax)
    if (stored.sizeBytes === 0)
      return await refuse(deps, rule, { ...common, objectKey }, 'INVALID_INPUT', 'The file is empty.')
    return { ...common, objectKey, sha256: stored.sha256, sizeBytes: stored.sizeBytes }
  } catch (error) {
    if (!(error instanceof ObjectTooLargeError)) throw error
    part.file.resume()
    const detail = `${filename} is larger than ${Math.floor(rule.bytesMax / 1024 ** 2)} MB.`
    return refuse(deps, rule, { ...common, objectKey }, rule.tooLarge, detail)
  }
}

async function refuse(
  deps: UploadDeps,
  rule: FileRule,
  upload: Pick<Upload, 'field' | 'filename' | 'contentType' | 'objectKey'>,
  code: NonNullable<Upload['error']>['code'],
  detail: string,
): Promise<Upload> {
  await deps.objects.delete(upload.objectKey)
  if (rule.errorsPerItem !== true) fail(code, { detail })
  return { ...upload, sha256: '', sizeBytes: 0, error: { code, detail } }
}

/** Stores a raw body (XML) as the one file of the request. */
export async function receiveBody(deps: UploadDeps, request: FastifyRequest, rule: FileRule): Promise<ReceivedFiles> {
  const objectKey = uploadKey()
  const body = request.body instanceof Readable ? request.body : new PassThrough().end()
  try {
    const stored = await deps.objects.put(objectKey, body, { bytesMax: rule.bytesMax, temporary: true })
    const contentType = String(request.headers['content-type'] ?? 'application/xml')
    if (stored.sizeBytes === 0) {
      await deps.objects.delete(objectKey)
      fail('INVALID_INPUT', { detail: 'The body is empty.' })
    }
    const upload = { field: 'body', objectKey, filename: 'body.xml', contentType, ...sizes(stored) }
    return { files: [upload], fields: {} }
  } catch (error) {
    if (error instanceof ObjectTooLargeError) fail('PAYLOAD_TOO_LARGE')
    throw error
  }
}

const sizes = (stored: { sha256: string; sizeBytes: number }) => ({
  sha256: stored.sha256,
  sizeBytes: stored.sizeBytes,
})

/** Deletes uploads that nobody took over; moved ones are gone from here already. */
export async function discard(deps: UploadDeps, files: readonly Upload[]): Promise<void> {
  for (const file of files) {
    await deps.objects.delete(file.objectKey).catch((error) => deps.log.warn({ err: error }, 'upload not deleted'))
  }
}

function formFailure(error: unknown, rule: FileRule): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'FST_FILES_LIMIT' || code === 'FST_PARTS_LIMIT') {
    return tooMany(rule)
  }
  if (code.startsWith('FST_') || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return failure('INVALID_INPUT', { detail: 'The form cannot be read.' })
  if (error instanceof Error && /multipart|boundary|unexpected end of form|malformed part/i.test(error.message)) {
    return failure('INVALID_INPUT', { detail: 'The form cannot be read.' })
  }
  return error
}

const tooMany = (rule: FileRule) =>
  failure(rule.filesMax > 1 ? 'BATCH_LIMIT_EXCEEDED' : 'INVALID_INPUT', {
    detail: `At most ${rule.filesMax} file(s) are accepted.`,
  })

const uploadKey = (): string => `uploads/${new Date().toISOString().slice(0, 10)}/${randomUUID()}`

/** The last part of whatever path a client sends, without control characters, at most 255 characters. */
export function safeFilename(name: string | undefined): string {
  const last = (name ?? '').split(/[\\/]/).at(-1) ?? ''
  const clean = last
    .normalize('NFC')
    .replace(/\p{Cc}/gu, '')
    .trim()
  return clean === '' ? 'file' : [...clean].slice(-255).join('')
}
