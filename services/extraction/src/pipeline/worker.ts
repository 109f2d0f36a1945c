import { task } from '@asiento/chassis/worker-task'
import type { Extraction } from '@asiento/proto/schemas/extraction-result'
import { type UnderstandContext, understand } from '../domain/understand.ts'
import { readDocument } from '../pages/read-document.ts'

export interface PipelineTask {
  bytes: Uint8Array
  filename: string
  context: UnderstandContext
}

/** Entry of the worker thread: bytes → words with boxes → invoice. The same bytes and context give the same answer. */
export default task(async ({ bytes, filename, context }: PipelineTask): Promise<Extraction> => {
  const document = await readDocument(bytes, { filename })
  return understand(document, context)
})
