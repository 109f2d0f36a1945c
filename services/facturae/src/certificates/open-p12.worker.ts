import { task } from '@asiento/chassis/worker-task'
import { type CertificateFailures, failP12 } from './fail-p12.ts'
import { type OpenedKey, openP12 } from './open-p12.ts'
import { P12Error } from './p12-error.ts'

/** Opens a .p12 on a worker thread; failures come out of the pool as rows of the error table. */
export default task(
  async ({
    file,
    password,
    failures,
  }: {
    file: Uint8Array
    password: string
    failures: CertificateFailures
  }): Promise<OpenedKey> => {
    try {
      return await openP12(file, password)
    } catch (error) {
      if (error instanceof P12Error) return failP12(error, failures)
      throw error
    } finally {
      file.fill(0)
    }
  },
)
