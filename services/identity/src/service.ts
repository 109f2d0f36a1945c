import { consumer } from '@asiento/chassis/consume'
import { defineService } from '@asiento/chassis/service'
import { shareReadings } from '@asiento/chassis/share-readings'
import { fail } from '@asiento/proto/errors'
import type { CallContext } from '@asiento/proto/rpc'
import { sql } from 'kysely'
import { createStripe } from './adapters/out/stripe.ts'
import type { Tables } from './adapters/out/tables.ts'
import { createAccounts } from './app/accounts.ts'
import { createCheckout } from './app/checkout.ts'
import { quotaOf, reserveCredits, settleCredits } from './app/credits.ts'
import { expireReservations } from './app/expire-reservations.ts'
import { createGoogleLogin } from './app/google-login.ts'
import { dropLeftovers, remindOfTrialEnd } from './app/housekeeping.ts'
import { createKey, listKeys, myKey, revokeKey } from './app/keys.ts'
import { login } from './app/login.ts'
import { logout, me } from './app/me.ts'
import { forgotPassword, resetPassword } from './app/password-reset.ts'
import { register } from './app/register.ts'
import { stripeWebhook } from './app/stripe-webhook.ts'
import {
  createSubaccount,
  createSubaccountKey,
  deleteSubaccount,
  deleteSubaccountKey,
  getSubaccount,
  listSubaccounts,
  subaccountExists,
  subaccountsSummary,
  subaccountUsage,
  updateSubaccount,
} from './app/subaccounts.ts'
import { verifyEmail } from './app/verify-email.ts'
import { identityEnvironment } from './config.ts'

/** Users, sessions, keys, plans, credits, subaccounts, checkout. */
export const identity = defineService<Tables>()({
  name: 'identity',
  config: identityEnvironment,
  migrations: new URL('../migrations/', import.meta.url),
  create: (deps) => {
    const accounts = createAccounts(deps)
    const stripe = createStripe(deps.config)
    const checkout = createCheckout(deps, stripe)
    const revoke = revokeKey(deps, accounts.forget)
    const actorOf = ({ actor }: CallContext) => actor ?? fail('AUTH_REQUIRED')
    return {
      handlers: {
        register: register(deps),
        verifyEmail: verifyEmail(deps),
        login: login(deps),
        googleLogin: createGoogleLogin(deps),
        forgotPassword: forgotPassword(deps),
        resetPassword: resetPassword(deps, accounts.forget),
        me: async (_input, { actor }) => me(deps)(actor),
        logout: async (_input, { actor }) => logout(deps, accounts.forget)(actor),

        createKey: (input, { actor }) => createKey(deps)(input, actor),
        myKey: async (_input, { actor }) => {
          await accounts.flushKeyUse()
          return myKey(deps)(actor)
        },
        listKeys: async (_input, { actor }) => {
          await accounts.flushKeyUse()
          return listKeys(deps)(actor)
        },
        revokeKey: ({ body }, { actor }) => revoke(body, actor),
        revokeKeyById: ({ body }, { actor }) => revoke(body, actor),

        listSubaccounts: (input, { actor }) => listSubaccounts(deps)(input, actor),
        createSubaccount: (input, { actor }) => createSubaccount(deps)(input, actor),
        subaccountsSummary: (_input, { actor }) => subaccountsSummary(deps)(actor),
        getSubaccount: ({ params }, { actor }) => getSubaccount(deps)(params.subaccount_id, actor),
        updateSubaccount: (input, { actor }) => updateSubaccount(deps)(input, actor),
        deleteSubaccount: ({ params }, { actor }) =>
          deleteSubaccount(deps, accounts.forget)(params.subaccount_id, actor),
        createSubaccountKey: (input, { actor }) => createSubaccountKey(deps)(input, actor),
        deleteSubaccountKey: (input, { actor }) => deleteSubaccountKey(deps, accounts.forget)(input, actor),

        checkout: ({ body }, { actor }) => checkout({ kind: 'plan', plan: body.plan }, actor),
        stripeWebhook: ({ headers }) =>
          stripeWebhook(deps, accounts.forget)(headers['x-raw-body'] ?? '', headers['stripe-signature']),

        authenticate: (credentials) => accounts.authenticate(credentials),
        actorFor: (scope) => accounts.actorFor(scope),
        reserveCredits: reserveCredits(deps),
        settleCredits: (settlement) => deps.db.transaction((tx) => settleCredits(deps, tx, settlement)),
        quotaOf: shareReadings(quotaOf(deps), JSON.stringify),
        createCheckout: (order, context) => checkout(order, actorOf(context)),
        subaccountExists: ({ subaccountId }, context) => subaccountExists(deps)(subaccountId, actorOf(context)),
        subaccountUsage: ({ subaccountId }, context) => subaccountUsage(deps)(subaccountId, actorOf(context)),
        health: async () => {
          await sql`select 1`.execute(deps.db.query)
          return { status: 'ok' }
        },
      },
      consumers: [
        consumer<Tables, 'credits.settled'>({
          event: 'credits.settled',
          group: 'identity.credits',
          handle: async (tx, { payload }) => void (await settleCredits(deps, tx, payload)),
        }),
      ],
      schedules: [
        { name: 'expire-reservations', everyMs: 30_000, run: expireReservations(deps) },
        { name: 'flush-key-use', everyMs: 5_000, run: accounts.flushKeyUse },
        { name: 'drop-leftovers', everyMs: 3_600_000, run: dropLeftovers(deps) },
        { name: 'remind-of-trial-end', everyMs: 3_600_000, run: remindOfTrialEnd(deps) },
      ],
      close: accounts.flushKeyUse,
    }
  },
})
