import { publish } from '@asiento/chassis/outbox'
import type { EventPayload } from '@asiento/proto/events'
import { ledgerPlanNames, planNames } from '@asiento/proto/plans'
import { timestamp } from '@asiento/proto/time'
import type { Updateable } from 'kysely'
import type { Tables } from '../adapters/out/tables.ts'
import { quotaOf } from './credits.ts'
import type { Deps } from './deps.ts'
import type { User } from './login.ts'

type OperatorDeps = Pick<Deps, 'db' | 'clock'>

/** A command that makes no sense, in one line for the person who typed it. */
export class OperatorError extends Error {}

interface Change {
  /** The columns to set. Fails with {@link OperatorError} for a value that is not one. */
  set: (value: string | undefined, now: Date, before: User) => Updateable<Tables['users']>
  /** What other services are told. */
  announces?: EventPayload<'account.changed'>['change']
  value?: string
}

/** A suspension raises the token epoch: tokens from before it stay dead after the account is restored. */
const changes: Record<string, Change> = {
  verify: { set: (_value, now) => ({ email_verified_at: now }) },
  suspend: {
    set: (_value, now, before) => ({ suspended_at: now, token_epoch: before.token_epoch + 1 }),
    announces: 'suspended',
  },
  restore: { set: () => ({ suspended_at: null }), announces: 'restored' },
  'set-plan': { set: (value) => ({ plan: oneOf(planNames, value) }), announces: 'plan', value: planNames.join('|') },
  'set-ledger-plan': {
    set: (value) => ({ ledger_plan: value === 'none' ? null : oneOf(ledgerPlanNames, value, 'none') }),
    announces: 'ledger_plan',
    value: `${ledgerPlanNames.join('|')}|none`,
  },
  'set-rate-limit': {
    set: (value) => ({ rate_per_minute: value === 'default' ? null : wholeNumber(value) }),
    value: 'REQUESTS_PER_MINUTE|default',
  },
}

/** How the tool is used, one line a command. */
export const operatorUsage: readonly string[] = [
  'user list',
  'user show EMAIL',
  ...Object.entries(changes).map(([name, change]) => `user ${name} EMAIL${change.value ? ` ${change.value}` : ''}`),
]

/**
 * Carries out one command of the operator tool and answers what to print. Every change leaves an audit record with the
 * operator's name and what was there before and after, in the same transaction. Fails with {@link OperatorError}.
 */
export async function runOperatorCommand(
  deps: OperatorDeps,
  operator: string,
  [subject, action, email, value, ...rest]: readonly string[],
): Promise<string[]> {
  if (subject !== 'user' || action === undefined || rest.length > 0) return usage()
  if (action === 'list') return listUsers(deps)
  if (email === undefined) return usage()
  if (action === 'show') return showUser(deps, email)
  const change = Object.hasOwn(changes, action) ? changes[action] : undefined
  if (change === undefined || (change.value === undefined) !== (value === undefined)) return usage()
  return changeUser(deps, { operator, action, email, value, change })
}

function usage(): never {
  throw new OperatorError(`Usage:\n${operatorUsage.map((line) => `  npm run admin -- ${line}`).join('\n')}`)
}

async function changeUser(
  { db, clock }: OperatorDeps,
  command: { operator: string; action: string; email: string; value: string | undefined; change: Change },
): Promise<string[]> {
  const now = clock.now()
  return db.transaction(async (tx) => {
    const before = await tx
      .selectFrom('users')
      .selectAll()
      .where('email_canonical', '=', command.email.trim().toLowerCase())
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (before === undefined) return unknown(command.email)
    const after = await tx
      .updateTable('users')
      .set(command.change.set(command.value, now, before))
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('audit_log')
      .values({
        at: now,
        operator: command.operator,
        action: `user ${command.action}${command.value === undefined ? '' : ` ${command.value}`}`,
        user_id: before.id,
        before: JSON.stringify(audited(before)),
        after: JSON.stringify(audited(after)),
      })
      .execute()
    if (command.change.announces !== undefined) {
      const payload = { userId: before.id, change: command.change.announces }
      await publish(tx, 'account.changed', { key: `user:${before.id}`, payload })
    }
    return describe(after)
  })
}

function unknown(email: string): never {
  throw new OperatorError(`No account has the address ${email}.`)
}

/** What an audit record keeps of an account: its state, no secret. */
const audited = (user: User) => ({
  plan: user.plan,
  ledger_plan: user.ledger_plan,
  email_verified_at: user.email_verified_at,
  suspended_at: user.suspended_at,
  rate_per_minute: user.rate_per_minute,
})

async function listUsers({ db }: OperatorDeps): Promise<string[]> {
  const users = await db.query.selectFrom('users').selectAll().orderBy('id').execute()
  const rows = users.map((user) =>
    [user.id, user.email, user.plan, user.ledger_plan ?? '-', stateOf(user), timestamp(user.created_at)].join('\t'),
  )
  return ['id\temail\tplan\tledger plan\tstate\tcreated (UTC)', ...rows]
}

async function showUser(deps: OperatorDeps, email: string): Promise<string[]> {
  const user = await deps.db.query
    .selectFrom('users')
    .selectAll()
    .where('email_canonical', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  if (user === undefined) return unknown(email)
  const quota = await quotaOf(deps)({ userId: user.id, keyId: null, subaccountId: null, sandbox: false })
  const records = await deps.db.query
    .selectFrom('audit_log')
    .select(['at', 'operator', 'action'])
    .where('user_id', '=', user.id)
    .orderBy('id')
    .execute()
  return [
    ...describe(user),
    `quota           ${quota.used} of ${quota.quota}, anew at ${quota.quota_reset_at} UTC`,
    ...records.map((record) => `${timestamp(record.at)}  ${record.operator}: ${record.action}`),
  ]
}

const describe = (user: User): string[] => [
  `id              ${user.id}`,
  `email           ${user.email}`,
  `name            ${user.full_name}`,
  `state           ${stateOf(user)}`,
  `plan            ${user.plan}`,
  `ledger plan     ${user.ledger_plan ?? 'none'}, trial until ${timestamp(user.trial_ends_at)} UTC`,
  `rate per minute ${user.rate_per_minute ?? 'default'}`,
]

const stateOf = (user: User): string =>
  user.suspended_at !== null ? 'suspended' : user.email_verified_at === null ? 'unverified' : 'active'

function oneOf<const T extends string>(names: readonly T[], value: string | undefined, ...others: string[]): T {
  const found = names.find((name) => name === value)
  if (found === undefined) throw new OperatorError(`Use one of ${[...names, ...others].join(', ')}.`)
  return found
}

function wholeNumber(value: string | undefined): number {
  const number = Number(value)
  if (Number.isInteger(number) && number >= 1 && number <= 1_000_000) return number
  throw new OperatorError('Use a whole number from 1 to 1000000, or default.')
}
