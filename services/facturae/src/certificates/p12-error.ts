import { DerError } from './der.ts'

/**
 * Why a .p12 did not open:
 * - `P12_FORMAT`: no PKCS#12 file, or a damaged one
 * - `P12_PASSWORD`: the password is wrong, or the file damaged where the two cannot be told apart
 * - `P12_LIMIT`: it asks for more work than we do for a file (iterations, size, nesting)
 * - `P12_NO_KEY`: no private key with its certificate inside
 * - `P12_UNSUPPORTED`: an algorithm or key kind that we do not read
 */
export type P12Reason = 'P12_FORMAT' | 'P12_PASSWORD' | 'P12_LIMIT' | 'P12_NO_KEY' | 'P12_UNSUPPORTED'

/** A .p12 that does not open; `message` says why in words fit for the caller and never holds the password. */
export class P12Error extends Error {
  readonly reason: P12Reason

  constructor(reason: P12Reason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'P12Error'
    this.reason = reason
  }
}

/** Raises a {@link P12Error}. */
export function refuseP12(reason: P12Reason, message: string, cause?: unknown): never {
  throw new P12Error(reason, message, cause)
}

/** Runs a step that reads structure: what is no DER of the expected shape becomes P12_FORMAT. */
export function asFormat<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (error instanceof DerError) refuseP12('P12_FORMAT', 'The file is no valid PKCS#12 (.p12, .pfx).', error)
    throw error
  }
}
