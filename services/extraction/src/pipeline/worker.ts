import type { MessagePort } from 'node:worker_threads'
import { task } from '@asiento/chassis/worker-task'
import type { Extraction } from '@asiento/proto/schemas/extraction-result'
import type { Document } from '../domain/page.ts'
import { acceptProposal } from './accept-proposal.ts'
import { type ExtractOptions, extractInvoice, type Read } from './extract-invoice.ts'
import { layoutsOver } from './layouts-port.ts'
import type { Proposal } from './proposal.ts'

export interface ReadingTask extends Omit<ExtractOptions, 'layouts'> {
  kind: 'read'
  bytes: Uint8Array
  /** See `offerLayouts`. */
  layouts?: MessagePort
}

/** Checks what a language model proposed against the page. */
export interface CheckingTask {
  kind: 'check'
  document: Document
  extraction: Extraction
  proposal: Proposal
}

export type PipelineTask = ReadingTask | CheckingTask

/** Entry of the worker thread. See {@link extractInvoice} and {@link acceptProposal}. */
export default task(async (given: PipelineTask): Promise<Read> => {
  if (given.kind === 'check') return { extraction: acceptProposal(given), doubt: null }
  const { bytes, layouts, kind: _kind, ...options } = given
  return extractInvoice(bytes, { ...options, ...(layouts === undefined ? {} : { layouts: layoutsOver(layouts) }) })
})
