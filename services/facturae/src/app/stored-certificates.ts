import { randomBytes } from 'node:crypto'
import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { Upload } from '@asiento/proto/operation'
import { timestamp } from '@asiento/proto/time'
import type { Selectable } from 'kysely'
import type { CertificatesTable } from '../adapters/out/tables.ts'
import type { OpenedKey } from '../certificates/open-p12.ts'
import type { Deps } from './deps.ts'

type Row = Selectable<CertificatesTable>

/** Keeps a certificate under a name. Fails CERT_INVALID_FORMAT, CERT_INVALID_PASSWORD. */
export const createCertificate =
  (deps: Deps) =>
  async (actor: Actor, upload: Upload | undefined, { name, password }: { name: string; password: string }) => {
    const row = await store(deps, actor, upload, { kind: 'managed', name, password })
    return {
      certificate_id: row.certificate_id,
      name,
      subject: row.subject,
      issuer: row.issuer,
      expires_at: timestamp(row.not_after),
    }
  }

/** The active managed certificates of the account, oldest first. */
export const listCertificates = (deps: Deps) => async (actor: Actor) => {
  const rows = await active(deps, actor).where('kind', '=', 'managed').orderBy('id').execute()
  return {
    certificates: rows.map((row) => ({
      id: row.certificate_id,
      certificate_id: row.certificate_id,
      name: row.name,
      subject: row.subject,
      issuer: row.issuer,
      expires_at: timestamp(row.not_after),
      created_at: timestamp(row.created_at),
    })),
  }
}

/** Takes a managed certificate out of use: the row stays, its secrets go. Fails CERT_NOT_FOUND. */
export const deleteCertificate = (deps: Deps) => async (actor: Actor, certificateId: string) => {
  const removed = await retire(deps, actor, { kind: 'managed', certificateId })
  if (!removed) fail('CERT_NOT_FOUND')
  return { deleted: true as const }
}

/** Saves the personal certificate in place of an earlier one. Fails like {@link createCertificate}. */
export const saveUserCertificate = (deps: Deps) => async (actor: Actor, upload: Upload | undefined, password: string) =>
  personalBody(await store(deps, actor, upload, { kind: 'personal', name: 'personal', password }))

/** Fails CERT_NOT_FOUND when none is saved. */
export const getUserCertificate = (deps: Deps) => async (actor: Actor) => {
  const row = await active(deps, actor).where('kind', '=', 'personal').executeTakeFirst()
  return personalBody(row ?? fail('CERT_NOT_FOUND'))
}

export const deleteUserCertificate = (deps: Deps) => async (actor: Actor) => {
  const removed = await retire(deps, actor, { kind: 'personal' })
  if (!removed) fail('CERT_NOT_FOUND')
  return { deleted: true as const }
}

const personalBody = (row: Pick<Row, 'subject' | 'issuer' | 'not_after' | 'created_at'>) => ({
  subject: row.subject,
  issuer: row.issuer,
  expires_at: timestamp(row.not_after),
  created_at: timestamp(row.created_at),
})

const active = ({ db }: Deps, { userId }: Actor) =>
  db.query.selectFrom('certificates').selectAll().where('user_id', '=', userId).where('deleted_at', 'is', null)

/** The stored certificate of an id, or the personal one; undefined when the account has none such. */
export const findCertificate = (deps: Deps, actor: Actor, certificateId: string | null): Promise<Row | undefined> =>
  certificateId === null
    ? active(deps, actor).where('kind', '=', 'personal').executeTakeFirst()
    : active(deps, actor).where('certificate_id', '=', certificateId).executeTakeFirst()

/** The managed certificate that is valid longest, for work that names none. */
export const longestCertificate = (deps: Deps, actor: Actor): Promise<Row | undefined> =>
  active(deps, actor)
    .where('kind', '=', 'managed')
    .orderBy('not_after', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()

/** The key of a stored certificate that was found at an instant, opened at most once in five minutes. */
export async function openStored(deps: Deps, row: Row, seenAt: Date): Promise<OpenedKey> {
  const known = deps.openedKeys.get(row.certificate_id, seenAt)
  if (known !== undefined) return known
  if (row.kid === null || row.wrapped_key === null || row.sealed === null) return fail('CERT_NOT_FOUND')
  const envelope = { kid: row.kid, wrapped_key: row.wrapped_key, sealed: row.sealed }
  const secret = deps.sealer.unseal(envelope, ownerOf(row))
  const { file, password } = unpack(secret)
  secret.fill(0)
  const key = await deps.openP12(file, password, 'signing')
  deps.openedKeys.set(row.certificate_id, { key, userId: row.user_id, seenAt })
  return key
}

interface NewCertificate {
  kind: 'managed' | 'personal'
  name: string
  password: string
}

async function store(deps: Deps, actor: Actor, upload: Upload | undefined, { kind, name, password }: NewCertificate) {
  const bytes = upload === undefined ? null : await deps.objects.get(upload.objectKey)
  if (upload === undefined || bytes === null) return fail('INVALID_INPUT', { detail: 'The file part is missing.' })
  await deps.objects.delete(upload.objectKey)
  const secret = pack(bytes, password)
  const { certificate } = await deps.openP12(new Uint8Array(bytes), password, 'upload')
  bytes.fill(0)
  const certificateId = `cert_${randomBytes(16).toString('hex')}`
  const owner = ownerOf({ certificate_id: certificateId, user_id: actor.userId })
  const row = {
    certificate_id: certificateId,
    user_id: actor.userId,
    kind,
    name,
    subject: certificate.subject,
    issuer: certificate.issuer,
    tax_id: certificate.taxId,
    fingerprint: certificate.fingerprint,
    not_before: certificate.notBefore,
    not_after: certificate.notAfter,
    ...deps.sealer.seal(secret, owner),
    created_at: deps.clock.now(),
  }
  secret.fill(0)
  await deps.db.transaction(async (tx) => {
    if (kind === 'personal') {
      await tx
        .updateTable('certificates')
        .set(retired(deps))
        .where('user_id', '=', actor.userId)
        .where('kind', '=', 'personal')
        .where('deleted_at', 'is', null)
        .execute()
    }
    await tx.insertInto('certificates').values(row).execute()
  })
  return row
}

/** Whom a sealed certificate is bound to. */
export const ownerOf = (row: Pick<Row, 'certificate_id' | 'user_id'>): string => `${row.user_id}:${row.certificate_id}`

const retired = ({ clock }: Deps) => ({ deleted_at: clock.now(), sealed: null, wrapped_key: null, kid: null })

async function retire(
  deps: Deps,
  actor: Actor,
  which: { kind: 'managed'; certificateId: string } | { kind: 'personal' },
): Promise<boolean> {
  let update = deps.db.query
    .updateTable('certificates')
    .set(retired(deps))
    .where('user_id', '=', actor.userId)
    .where('kind', '=', which.kind)
    .where('deleted_at', 'is', null)
  if (which.kind === 'managed') update = update.where('certificate_id', '=', which.certificateId)
  const rows = await update.returning('certificate_id').execute()
  for (const row of rows) deps.openedKeys.delete(row.certificate_id)
  return rows.length > 0
}

/** length of the password (4 bytes) ‖ password ‖ file */
function pack(file: Uint8Array, password: string): Buffer {
  const text = Buffer.from(password, 'utf8')
  const head = Buffer.alloc(4)
  head.writeUInt32BE(text.length)
  return Buffer.concat([head, text, file])
}

function unpack(secret: Buffer): { file: Uint8Array<ArrayBuffer>; password: string } {
  const length = secret.readUInt32BE(0)
  return {
    password: secret.subarray(4, 4 + length).toString('utf8'),
    file: new Uint8Array(secret.subarray(4 + length)),
  }
}
