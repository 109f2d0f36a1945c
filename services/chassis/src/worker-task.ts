import { AppError, type ErrorCode } from '@asiento/proto/errors'

/** What a task hands back from its thread: structured cloning would strip a failure of its code. */
export type TaskAnswer<O> =
  | { outcome: 'value'; value: O }
  | { outcome: 'failure'; code: ErrorCode; detail: string; internal: string | undefined }

/** Makes a worker's default export: failures of the error table come out of the pool as themselves. */
export const task =
  <I, O>(work: (input: I) => Promise<O>) =>
  async (input: I): Promise<TaskAnswer<O>> => {
    try {
      return { outcome: 'value', value: await work(input) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { outcome: 'failure', code: error.code, detail: error.detail, internal: error.internal }
    }
  }
