import { createHash } from 'node:crypto'
import { publish } from '@asiento/chassis/outbox'
import { fail } from '@asiento/proto/errors'
import type { Locale, Tables } from '../adapters/out/tables.ts'
import type { Deps, IdentityTx } from './deps.ts'

export type TokenPurpose = Tables['mail_tokens']['purpose']

const validHours: Record<TokenPurpose, number> = { verify: 24, reset: 1 }
/** Where a link leads: the endpoint that verifies, and the dashboard's form for a new password. */
const linkPaths: Record<TokenPurpose, string> = { verify: '/auth/verify', reset: '/reset-password' }

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

export interface TokenRequest {
  purpose: TokenPurpose
  /** Null writes a decoy: the same work for an address without an account. */
  userId: number | null
  /** What a registration asked for, applied when this very token comes back. */
  registration?: { passwordHash: string; fullName: string; company: string | null; locale: Locale }
}

/** Writes a token that works once; answers the link that carries it and for how many hours it is valid. */
export async function issueToken(
  { config, clock, ids }: Deps,
  tx: IdentityTx,
  request: TokenRequest,
): Promise<{ link: string; validHours: number }> {
  const token = ids.bytes(32).toString('base64url')
  const hours = validHours[request.purpose]
  const now = clock.now()
  await tx
    .insertInto('mail_tokens')
    .values({
      token_hash: hashToken(token),
      user_id: request.userId,
      purpose: request.purpose,
      password_hash: request.registration?.passwordHash ?? null,
      full_name: request.registration?.fullName ?? null,
      company: request.registration?.company ?? null,
      locale: request.registration?.locale ?? null,
      created_at: now,
      expires_at: new Date(now.getTime() + hours * 3_600_000),
      used_at: null,
    })
    .execute()
  const link = new URL(`${config.PUBLIC_URL.replace(/\/$/, '')}${linkPaths[request.purpose]}`)
  link.searchParams.set('token', token)
  return { link: link.toString(), validHours: hours }
}

/** Uses a token up, and with it every other one of its account and purpose. Fails INVALID_INPUT. */
export async function useToken(deps: Deps, tx: IdentityTx, purpose: TokenPurpose, token: string) {
  const now = deps.clock.now()
  const row = await tx
    .updateTable('mail_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('user_id', 'is not', null)
    .returningAll()
    .executeTakeFirst()
  const userId = row?.user_id ?? fail('INVALID_INPUT', { detail: 'The token is wrong, expired or was used before.' })
  await tx
    .updateTable('mail_tokens')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute()
  return { ...row, user_id: userId }
}

export interface Mail {
  to: string
  locale: Locale
  template: 'verify' | 'already_registered' | 'reset' | 'quota_warning' | 'trial_ending'
  data: Record<string, string | number | null>
  /** Given where the mail must go out once only. */
  mailId?: string
}

/** Asks for a mail in the transaction of its cause. */
export const requestMail = ({ ids }: Pick<Deps, 'ids'>, tx: IdentityTx, mail: Mail): Promise<void> =>
  publish(tx, 'mail.requested', { key: mail.to, payload: { ...mail, mailId: mail.mailId ?? ids.uuid() } })
