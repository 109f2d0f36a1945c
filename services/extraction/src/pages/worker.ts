import { task } from '@asiento/chassis/worker-task'
import type { Document } from '../domain/page.ts'
import { type ReadOptions, readDocument } from './read-document.ts'

export interface ReadTask {
  bytes: Uint8Array
  options?: ReadOptions
}

/** Entry of the worker thread: one document a call. See {@link readDocument}. */
export default task(({ bytes, options }: ReadTask): Promise<Document> => readDocument(bytes, options))
