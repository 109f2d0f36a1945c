import type { Readable } from 'node:stream'

export interface StoredObject {
  key: string
  /** Lower-case hex. */
  sha256: string
  sizeBytes: number
}

/** A stream was longer than its limit; what had been written is gone again. */
export class ObjectTooLargeError extends Error {
  constructor(bytesMax: number) {
    super(`larger than ${bytesMax} bytes`)
    this.name = 'ObjectTooLargeError'
  }
}

export interface PutOptions {
  bytesMax?: number
  contentType?: string
  /** On its way to somewhere else: until it is moved, a crash of the machine may lose it. */
  temporary?: boolean
}

/**
 * Bytes by key: S3 in a cluster, files in one process. Writes are all or nothing. Keys are made of
 * `[A-Za-z0-9._-]` segments separated by `/`.
 *
 * Uploads start under `uploads/`; what is kept is moved to its owner's prefix, and the rest is swept.
 */
export interface Objects {
  put(key: string, source: Readable | Uint8Array, options?: PutOptions): Promise<StoredObject>
  /** Null when there is no such object. */
  get(key: string): Promise<Buffer | null>
  stream(key: string): Promise<{ body: Readable; sizeBytes: number } | null>
  /** What was temporary is kept from then on. */
  move(from: string, to: string): Promise<void>
  delete(key: string): Promise<void>
  /** Deletes what is older under a prefix; answers how many. */
  sweep(prefix: string, olderThan: Date): Promise<number>
  probe(): Promise<void>
}

/** Refuses keys that could leave the store. */
export function checkedKey(key: string): string {
  const legal =
    key.length <= 512 && key.split('/').every((part) => /^[A-Za-z0-9._-]+$/.test(part) && !/^\.+$/.test(part))
  if (!legal) throw new Error(`illegal object key: ${key}`)
  return key
}
