import { task } from '@asiento/chassis/worker-task'
import type { Extraction } from '@asiento/proto/schemas/extraction-result'
import { type ExtractOptions, extractInvoice } from './extract-invoice.ts'

export interface PipelineTask extends ExtractOptions {
  bytes: Uint8Array
}

/** Entry of the worker thread. See {@link extractInvoice}. */
export default task(({ bytes, ...options }: PipelineTask): Promise<Extraction> => extractInvoice(bytes, options))
