import { existsSync, readFileSync } from 'node:fs'
import { type OpenedKey, openP12 } from '../../src/certificates/open-p12.ts'

const folder = new URL('./fixtures/', import.meta.url)

/** A committed test certificate file (make-fixtures.sh), by name. */
export const fixture = (name: string): Buffer => readFileSync(new URL(name, folder))

/** A committed test key, opened. */
export const fixtureKey = (name = 'natural.p12', password = 'facturae'): Promise<OpenedKey> =>
  openP12(fixture(name), password)

/** The samples and certificates beside the checkout, where they are at hand; else null. */
export const sharedFacturae: URL | null = (() => {
  const folder = new URL('../../../../../shared/facturae/', import.meta.url)
  return existsSync(folder) ? folder : null
})()
