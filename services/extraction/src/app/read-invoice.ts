import type { Scope } from '@asiento/proto/actor'
import type { CallContext } from '@asiento/proto/rpc'
import type { Extraction, ExtractionWarning } from '@asiento/proto/schemas/extraction-result'
import type { LanguageModel } from '../adapters/language-model.ts'
import type { UnderstandContext } from '../domain/understand.ts'
import { rejected } from '../pipeline/accept-proposal.ts'
import type { Doubt } from '../pipeline/extract-invoice.ts'
import { offerLayouts } from '../pipeline/layouts-port.ts'
import type { Deps } from './deps.ts'
import { hasTaught, layoutsOf } from './learn-layout.ts'

/** Below this score a language model is asked, where one is configured. */
const askBelow = 0.8

/** What is asked about an account before its documents are read. */
export interface Circumstances {
  ownTaxId: string | null
  /** Whether it taught anything; where not, no thread stops to ask. */
  taught: boolean
}

export async function askCircumstances(deps: Deps, scope: Scope, context: CallContext): Promise<Circumstances> {
  const [ownTaxId, taught] = await Promise.all([deps.ownTaxId(context), hasTaught(deps, scope)])
  return { ownTaxId, taught }
}

export interface ReadCommand {
  scope: Scope
  /** False where the account has taught nothing: then no thread stops to ask. */
  taught: boolean
  filename: string
  context: UnderstandContext
}

/**
 * Reads a document on a worker thread, with what this account taught about its vendor; where the result is doubtful and a
 * language model is configured, with what the model proposes and the page bears out. Fails like the pipeline.
 */
export async function readInvoice(deps: Deps, bytes: Uint8Array, command: ReadCommand): Promise<Extraction> {
  const { filename, context, scope, taught } = command
  const layouts = taught ? offerLayouts((question) => layoutsOf(deps, scope, question)) : null
  // The bytes are needed here no more: moving them saves a copy of up to 20 MB, unless they lie in somebody else's memory.
  const isAlone = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
  const own = isAlone ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes)
  const transfer = [own.buffer, ...(layouts === null ? [] : [layouts.port])]
  const doubtBelow = deps.model === null ? 0 : askBelow
  try {
    const task = { kind: 'read' as const, bytes: own, filename, context, doubtBelow }
    const asking = layouts === null ? task : { ...task, layouts: layouts.port }
    const { extraction, doubt } = await deps.pipeline.run(asking, { transfer })
    if (doubt === null || deps.model === null) return extraction
    return await secondOpinion(deps, deps.model, extraction, doubt)
  } finally {
    layouts?.close()
  }
}

/** No thread waits for the model: only its answer goes back to one, to be checked against the page. */
async function secondOpinion(
  deps: Deps,
  model: LanguageModel,
  extraction: Extraction,
  { document, rows }: Doubt,
): Promise<Extraction> {
  if (rows.length === 0 || extraction.warnings.some(({ code }) => code === 'not_an_invoice')) return extraction
  const answer = await model(rows)
  if (answer.outcome === 'unavailable') return withWarning(extraction, unavailable)
  if (answer.outcome === 'malformed') return withWarning(extraction, rejected([]))
  const { proposal } = answer
  return (await deps.pipeline.run({ kind: 'check', document, extraction, proposal })).extraction
}

const unavailable: ExtractionWarning = {
  code: 'llm_unavailable',
  message: 'The language model did not answer; the document was read without it.',
}

const withWarning = (extraction: Extraction, warning: ExtractionWarning): Extraction => ({
  ...extraction,
  warnings: [...extraction.warnings, warning],
})
