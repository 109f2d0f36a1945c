import type { Log } from '@asiento/chassis/log'
import { isPgcAccount } from '@asiento/proto/pgc'
import { z } from 'zod'
import type { Purchase } from '../../domain/pgc/classify.ts'

/** Proposes an account where the rules are unsure; null when it has nothing to say. Never rejects. */
export type AccountModel = (purchase: Purchase, candidates: readonly string[]) => Promise<string | null>

const completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) })

/** An OpenAI-compatible server as {@link AccountModel}. Its answer counts only when it is an account of the chart. */
export function createAccountModel(options: {
  url: string
  model: string
  key?: string | undefined
  timeoutMs: number
  log: Log
}): AccountModel {
  return async (purchase, candidates) => {
    try {
      const response = await fetch(`${options.url.replace(/\/+$/, '')}/chat/completions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
        },
        body: JSON.stringify({
          model: options.model,
          temperature: 0,
          max_tokens: 8,
          messages: [
            { role: 'system', content: 'Contesta solo con la cuenta de tres cifras del PGC español para la compra.' },
            { role: 'user', content: question(purchase, candidates) },
          ],
        }),
        signal: AbortSignal.timeout(options.timeoutMs),
      })
      if (!response.ok) throw new Error(`status ${response.status}`)
      const text = completion.parse(await response.json()).choices[0]?.message.content ?? ''
      const code = /\b[267]\d{2}\b/.exec(text)?.[0]
      return code !== undefined && isPgcAccount(code) ? code : null
    } catch (error) {
      options.log.warn({ err: error }, 'the language model proposed no account')
      return null
    }
  }
}

const question = (purchase: Purchase, candidates: readonly string[]): string =>
  [
    `Proveedor: ${(purchase.vendorName ?? 'desconocido').slice(0, 200)}`,
    `Conceptos: ${purchase.lines
      .slice(0, 20)
      .map((line) => line.description.slice(0, 120))
      .join('; ')}`,
    `Total: ${purchase.totalCents == null ? 'desconocido' : purchase.totalCents / 100} EUR`,
    `Candidatas: ${candidates.join(', ')}`,
  ].join('\n')
