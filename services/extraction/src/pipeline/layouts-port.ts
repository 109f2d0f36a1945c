import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { VendorLayout } from '../domain/learn-layout.ts'

/** What a document tells about whose it may be. */
export interface LayoutQuestion {
  /** As read at first; null when none was found. */
  vendorTaxId: string | null
  /** Letters and digits of the document in upper case, without anything between them: tax ids stand in it whole. */
  printed: string
}

/** What corrections taught about the vendors that a document may be from, newest first. */
export type LayoutSource = (question: LayoutQuestion) => Promise<VendorLayout[]>

type Answer = { layouts: VendorLayout[] } | { error: string }

/**
 * The owner's side: a port that a worker thread asks over, once it knows whose document it reads. So a thread is handed
 * the layouts of one vendor and never those of a whole account.
 */
export function offerLayouts(source: LayoutSource): { port: MessagePort; close: () => void } {
  const { port1, port2 } = new MessageChannel()
  const answer = async (question: LayoutQuestion): Promise<Answer> => {
    try {
      return { layouts: await source(question) }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }
  port1.on('message', (question: LayoutQuestion) => {
    void answer(question).then((found) => port1.postMessage(found))
  })
  return { port: port2, close: () => port1.close() }
}

/** The thread's side: one question, one answer. Rejects when the owner could not answer or is gone. */
export const layoutsOver =
  (port: MessagePort): LayoutSource =>
  (question) => {
    const { promise, resolve, reject } = Promise.withResolvers<VendorLayout[]>()
    port.once('message', (answer: Answer) => {
      if ('layouts' in answer) resolve(answer.layouts)
      else reject(new Error(`layouts not available: ${answer.error}`))
    })
    port.once('close', () => reject(new Error('layouts not available: the owner is gone')))
    port.postMessage(question)
    return promise.finally(() => port.close())
  }
