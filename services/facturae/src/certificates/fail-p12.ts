import { type ErrorCode, fail } from '@asiento/proto/errors'
import type { P12Error, P12Reason } from './p12-error.ts'

/** Where a .p12 came from decides the code: uploads answer CERT_*, a call that signs answers XML_SIGN_FAILED. */
export type CertificateFailures = 'upload' | 'signing'

const uploadCodes: Readonly<Record<P12Reason, ErrorCode>> = {
  P12_FORMAT: 'CERT_INVALID_FORMAT',
  P12_PASSWORD: 'CERT_INVALID_PASSWORD',
  P12_LIMIT: 'CERT_INVALID_FORMAT',
  P12_NO_KEY: 'CERT_INVALID_FORMAT',
  P12_UNSUPPORTED: 'CERT_INVALID_FORMAT',
}

/** Raises the row of the error table that a .p12 which does not open means to the caller. */
export function failP12(error: P12Error, failures: CertificateFailures): never {
  const code = failures === 'upload' ? uploadCodes[error.reason] : 'XML_SIGN_FAILED'
  return fail(code, { detail: error.message, internal: error.reason, cause: error })
}
