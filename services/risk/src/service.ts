import { consumer } from '@asiento/chassis/consume'
import { defineService } from '@asiento/chassis/service'
import { sql } from 'kysely'
import { z } from 'zod'
import { createAccountModel } from './adapters/out/account-model.ts'
import { createOwnTaxIds } from './adapters/out/own-tax-ids.ts'
import { createStore } from './adapters/out/store.ts'
import type { Tables } from './adapters/out/tables.ts'
import { createVies } from './adapters/out/vies.ts'
import { assess } from './app/assess.ts'
import { categorize, teachCategory } from './app/categorize.ts'
import { decideDuplicate } from './app/decide-duplicate.ts'
import { followCorrection } from './app/follow-corrections.ts'
import { forgetInvoice } from './app/forget.ts'
import { listDuplicates } from './app/list-duplicates.ts'
import { learnedVendors, listVendors, setVendorIban } from './app/vendors.ts'
import { classify } from './domain/pgc/classify.ts'

/** Risk: duplicates, tax ids, vendors' bank accounts, PGC accounts. */
export const risk = defineService<Tables>()({
  name: 'risk',
  config: z.object({
    /** Base address of VIES; absent: never asked. */
    VIES_URL: z.url().optional(),
    VIES_TIMEOUT_MS: z.coerce.number().int().min(50).max(30_000).default(1_500),
    /** An OpenAI-compatible server, asked only where the rules are unsure; absent: never. */
    EXTRACTION_LLM_URL: z.url().optional(),
    EXTRACTION_LLM_MODEL: z.string().optional(),
    EXTRACTION_LLM_KEY: z.string().optional(),
  }),
  migrations: new URL('../migrations/', import.meta.url),
  create: ({ config, db, log, rpc }) => {
    const { VIES_URL, EXTRACTION_LLM_URL, EXTRACTION_LLM_MODEL, EXTRACTION_LLM_KEY } = config
    const vies =
      VIES_URL === undefined
        ? null
        : createVies({
            url: VIES_URL,
            timeoutMs: config.VIES_TIMEOUT_MS,
            failuresMax: 3,
            restMs: 60_000,
            now: () => performance.now(),
            log,
          })
    const model =
      EXTRACTION_LLM_URL === undefined
        ? null
        : createAccountModel({
            url: EXTRACTION_LLM_URL,
            model: EXTRACTION_LLM_MODEL ?? 'default',
            key: EXTRACTION_LLM_KEY,
            timeoutMs: 4_000,
            log,
          })
    const decide = decideDuplicate(db)
    const ownTaxIds = createOwnTaxIds({ rpc, now: () => performance.now(), log })
    const assessInvoice = assess({ store: createStore(db), vies, model })
    const categorizePurchase = categorize({ db, model, ownTaxIds })
    // Reads lexicon and weights before the first invoice comes, so that none waits for them.
    classify({ lines: [] })
    return {
      handlers: {
        health: async () => {
          await sql`select 1`.execute(db.query)
          return { status: 'ok' }
        },
        assess: (input) => assessInvoice(input),
        forget: async (input) => {
          await db.transaction((tx) => forgetInvoice(tx, input))
          return {}
        },
        learnedVendors: (scope) => learnedVendors(db)(scope),
        listVendors: (_input, { actor }) => listVendors(db)(actor),
        setVendorIban: ({ params, body }, { actor }) =>
          setVendorIban(db)(actor, { vendorVat: params.vendor_vat, iban: body.iban }),
        categorize: ({ body }, context) => categorizePurchase(body, context),
        teachCategory: ({ params, body }, { actor }) =>
          teachCategory(db)(actor, { vendorVat: params.vendor_vat, accountCode: body.account_code }),
        listDuplicates: ({ query }, { actor }) => listDuplicates(db)(actor, query),
        confirmDuplicate: ({ params }, { actor }) => decide(actor, params.log_id, 'confirmed'),
        dismissDuplicate: ({ params }, { actor }) => decide(actor, params.log_id, 'dismissed'),
      },
      consumers: [
        consumer<Tables, 'extraction.corrected'>({
          event: 'extraction.corrected',
          group: 'risk.corrections',
          handle: (tx, event) => followCorrection(tx, event.payload),
        }),
        consumer<Tables, 'extraction.erased'>({
          event: 'extraction.erased',
          group: 'risk.erasure',
          handle: (tx, event) => forgetInvoice(tx, event.payload),
        }),
      ],
    }
  },
})
