import { PassThrough } from 'node:stream'
import { AppError, fail, ValidationFailure } from '@asiento/proto/errors'
import type { Download } from '@asiento/proto/operation'
import { invoiceDataInput } from '@asiento/proto/schemas/invoice-input'
import { madridDate } from '@asiento/proto/time'
import yazl from 'yazl'
import { temporaryKey } from './convert-to-facturae.ts'
import type { Deps, Work } from './deps.ts'
import { facturaeFilename } from './filename.ts'
import { latestOf } from './show-custody.ts'

type Entry = { name: string } & ({ objectKey: string } | { xml: string })

/**
 * The Facturae of many logs as one ZIP: the signed XML where there is one, else built unsigned. Every log is checked
 * before the first byte. Fails INVOICE_NOT_FOUND and INVALID_INPUT, naming the log.
 */
export const downloadZip =
  (deps: Deps) =>
  async (logIds: readonly number[], { actor, context }: Work): Promise<Download> => {
    const unique = [...new Set(logIds)]
    const { logs } = await deps.rpc.extraction.logsById({ logIds: unique }, context)
    const signed = new Map((await latestOf(deps, actor, unique)).map((row) => [row.log_id, row]))
    const named = uniqueNames()
    const entries: Entry[] = []
    for (const { logId, result } of logs) {
      const kept = signed.get(logId)
      if (kept !== undefined) {
        const name = named(facturaeFilename(kept.invoice_number, { signed: false, ext: 'xml' }))
        entries.push({ name, objectKey: kept.object_key })
        continue
      }
      const { xml, number } = await buildLog(deps, logId, result)
      entries.push({ name: named(facturaeFilename(number, { signed: false, ext: 'xml' })), xml })
    }
    const objectKey = temporaryKey(deps)
    await writeZip(deps, objectKey, entries)
    return {
      objectKey,
      filename: 'facturae.zip',
      contentType: 'application/zip',
      disposition: 'attachment',
      temporary: true,
    }
  }

async function buildLog(deps: Deps, logId: number, result: unknown): Promise<{ xml: string; number: string }> {
  const parsed = invoiceDataInput.safeParse(result)
  if (result === null || !parsed.success) {
    return fail('INVALID_INPUT', { detail: `The invoice ${logId} cannot become a Facturae.` })
  }
  try {
    const { xml, summary } = await deps.work<'build'>({
      kind: 'build',
      build: { input: parsed.data, seller: null, buyer: null, loc: ['body'], today: madridDate(deps.clock.now()) },
      sign: null,
    })
    return { xml, number: summary.invoiceNumber }
  } catch (error) {
    const reason =
      error instanceof ValidationFailure ? error.issues[0]?.msg : error instanceof AppError ? error.detail : undefined
    if (reason === undefined || (error instanceof AppError && error.code !== 'INVALID_INPUT')) throw error
    return fail('INVALID_INPUT', { detail: `The invoice ${logId} cannot become a Facturae: ${reason}` })
  }
}

/** Writes entry by entry into the store; one signed XML at a time is in memory. */
async function writeZip(deps: Deps, objectKey: string, entries: readonly Entry[]): Promise<void> {
  const zip = new yazl.ZipFile()
  const output = new PassThrough()
  zip.outputStream.pipe(output)
  zip.on('error', (error) => output.destroy(error as Error))
  const stored = deps.objects.put(objectKey, output, { contentType: 'application/zip' })
  stored.catch(() => {})
  const mtime = deps.clock.now()
  for (const entry of entries) {
    const bytes = 'xml' in entry ? Buffer.from(entry.xml, 'utf8') : await deps.objects.get(entry.objectKey)
    if (bytes === null) {
      output.destroy()
      return fail('SERVICE_ERROR', { internal: `custody object of ${entry.name} is missing` })
    }
    zip.addBuffer(bytes, entry.name, { mtime })
  }
  zip.end()
  await stored
}

function uniqueNames(): (name: string) => string {
  const used = new Set<string>()
  return (name) => {
    let candidate = name
    for (let count = 2; used.has(candidate.toLowerCase()); count += 1) {
      candidate = name.replace(/(\.[^.]+)$/, `_${count}$1`)
    }
    used.add(candidate.toLowerCase())
    return candidate
  }
}
