import { fail } from '@asiento/proto/errors'
import type { Handlers } from '@asiento/proto/rpc'
import { lockBooks } from '../adapters/out/books.ts'
import { releaseObject } from '../adapters/out/entry-rows.ts'
import type { StoredAttachment } from '../adapters/out/tables.ts'
import { attachmentType, signatureBytes } from '../domain/attachment.ts'
import { clip } from '../domain/clip.ts'
import { type Ledger, nowOf } from './ledger.ts'
import { owned } from './owned.ts'
import { entryForUpdate } from './write-entry.ts'

type AttachmentHandlers = Pick<
  Handlers<'ledger'>,
  'putEntryAttachment' | 'getEntryAttachment' | 'deleteEntryAttachment'
>

/** One file beside an entry: a PDF or an image, told by its content whatever its name says. */
export const attachments = (ledger: Ledger): AttachmentHandlers => ({
  putEntryAttachment: async ({ params, files }, { actor }) => {
    const [upload] = files
    if (upload === undefined) return fail('INVALID_INPUT', { detail: 'The part file is missing.' })
    if (upload.sizeBytes === 0) return fail('INVALID_INPUT', { detail: 'The file is empty.' })
    await ownEntry(ledger, params.entry_id, actor.userId)
    const { contentType, extension } = attachmentType(await firstBytes(ledger, upload.objectKey))
    const objectKey = `ledger/attachments/${ledger.ids.uuid()}.${extension}`
    await ledger.objects.move(upload.objectKey, objectKey)
    const stored: StoredAttachment = {
      objectKey,
      filename: clip(upload.filename, 255) || `adjunto.${extension}`,
      size: upload.sizeBytes,
      contentType,
    }
    try {
      await replaceAttachment(ledger, params.entry_id, actor.userId, stored)
    } catch (error) {
      await ledger.objects.delete(objectKey)
      throw error
    }
    return {
      entry_id: params.entry_id,
      filename: stored.filename,
      size: stored.size,
      content_type: stored.contentType,
    }
  },

  getEntryAttachment: async ({ params }, { actor }) => {
    const { attachment } = await ownEntry(ledger, params.entry_id, actor.userId)
    if (attachment === null) return fail('NOT_FOUND', { detail: 'The entry has no attachment.' })
    const { objectKey, filename, contentType } = attachment
    return { objectKey, filename, contentType }
  },

  deleteEntryAttachment: async ({ params }, { actor }) => {
    await replaceAttachment(ledger, params.entry_id, actor.userId, null)
    return undefined
  },
})

async function ownEntry({ db }: Ledger, entryId: number, userId: number) {
  const row = await db.query
    .selectFrom('entries')
    .select(['user_id', 'attachment'])
    .where('id', '=', entryId)
    .executeTakeFirst()
  return owned(row, userId)
}

/** Puts an attachment in place of the one before, whose object is let go of; null takes it away. */
async function replaceAttachment(
  ledger: Ledger,
  entryId: number,
  userId: number,
  next: StoredAttachment | null,
): Promise<void> {
  await ledger.db.transaction(async (tx) => {
    await lockBooks(tx, userId)
    const { attachment: before } = await entryForUpdate(tx, entryId, userId)
    if (next === null && before === null) fail('NOT_FOUND', { detail: 'The entry has no attachment.' })
    const now = nowOf(ledger)
    if (before !== null) await releaseObject(tx, before.objectKey, now)
    await tx
      .updateTable('entries')
      .set({ attachment: next === null ? null : JSON.stringify(next), updated_at: `${now}+00` })
      .where('id', '=', entryId)
      .execute()
  })
}

async function firstBytes({ objects }: Ledger, objectKey: string): Promise<Buffer> {
  const stored = await objects.stream(objectKey)
  if (stored === null) return fail('INVALID_INPUT', { detail: 'The part file is missing.' })
  const chunks: Buffer[] = []
  let read = 0
  for await (const chunk of stored.body) {
    chunks.push(Buffer.from(chunk))
    read += chunk.length
    if (read >= signatureBytes) break
  }
  return Buffer.concat(chunks)
}

/** Deletes objects that nothing refers to any more. */
export async function deleteReleasedObjects({ db, objects }: Ledger): Promise<void> {
  const released = await db.query.selectFrom('released_objects').select('object_key').limit(500).execute()
  for (const { object_key } of released) {
    await objects.delete(object_key)
    await db.query.deleteFrom('released_objects').where('object_key', '=', object_key).execute()
  }
}
