import { task } from '@asiento/chassis/worker-task'
import { renderPagePng } from './render-page.ts'

export interface RenderTask {
  bytes: Uint8Array
  filename: string
  /** From 0. */
  page: number
}

/** Entry of the worker thread: one page of a document as PNG. See {@link renderPagePng}. */
export default task(
  ({ bytes, filename, page }: RenderTask): Promise<Uint8Array> => renderPagePng(bytes, page, { filename }),
)
