import { task } from '@asiento/chassis/worker-task'
import type { OpenedKey } from '../certificates/open-p12.ts'
import { type SignedFacturae, type SignOptions, signFacturae } from './sign.ts'

/** Signs on a worker thread: the input of {@link signFacturae} as one value. */
export default task(
  async ({
    xml,
    key,
    options,
  }: {
    xml: string | Uint8Array
    key: OpenedKey
    options: SignOptions
  }): Promise<SignedFacturae> => signFacturae(xml, key, options),
)
