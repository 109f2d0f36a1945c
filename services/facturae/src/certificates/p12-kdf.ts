import { hash, pbkdf2 } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { refuseP12 } from './p12-error.ts'

/** Iterations of one derivation, and of all derivations of one file (Bouncy Castle writes 102,400, NSS 600,000). */
export const iterationsMax = { each: 1_000_000, all: 3_000_000 }

/** Counts the work that a file asks for, before it is done. */
export interface WorkBudget {
  /** Fails with P12_LIMIT when the iterations are too many, alone or with those before. */
  spend(iterations: number): void
}

export function workBudget(): WorkBudget {
  let spent = 0
  return {
    spend: (iterations) => {
      spent += iterations
      if (iterations > iterationsMax.each || spent > iterationsMax.all) {
        refuseP12('P12_LIMIT', `The file asks for ${iterations} iterations; the limit is ${iterationsMax.each}.`)
      }
      if (iterations < 1) refuseP12('P12_FORMAT', 'The file asks for no iterations.')
    },
  }
}

export type HashName = 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512'

interface Pkcs12KdfInput {
  hashName: HashName
  /** {@link PasswordBytes.bmp} */
  password: Buffer
  salt: Buffer
  /** RFC 7292 B.3: 1 key, 2 initialization vector, 3 MAC key. */
  id: 1 | 2 | 3
  iterations: number
  lengthBytes: number
}

/** The key derivation of RFC 7292 appendix B.2. Gives way to the event loop every few milliseconds. */
export async function pkcs12Kdf({
  hashName,
  password,
  salt,
  id,
  iterations,
  lengthBytes,
}: Pkcs12KdfInput): Promise<Buffer> {
  const blockBytes = hashName === 'sha384' || hashName === 'sha512' ? 128 : 64
  const diversifier = Buffer.alloc(blockBytes, id)
  const input = Buffer.concat([repeated(salt, blockBytes), repeated(password, blockBytes)])
  const pieces: Buffer[] = []
  for (let made = 0; made < lengthBytes; ) {
    let piece = hash(hashName, Buffer.concat([diversifier, input]), 'buffer')
    for (let i = 1; i < iterations; i += 1) {
      piece = hash(hashName, piece, 'buffer')
      if (i % iterationsPerTurn === 0) await nextTurn()
    }
    pieces.push(piece)
    made += piece.length
    addToBlocks(input, repeated(piece, blockBytes, blockBytes), blockBytes)
  }
  return Buffer.concat(pieces).subarray(0, lengthBytes)
}

const iterationsPerTurn = 2_000

/** The bytes repeated to the next multiple of a block (or to `length`), cut there; nothing for no bytes. */
function repeated(
  bytes: Buffer,
  blockBytes: number,
  length = Math.ceil(bytes.length / blockBytes) * blockBytes,
): Buffer {
  return bytes.length === 0 ? Buffer.alloc(0) : Buffer.alloc(length, bytes)
}

/** Adds `addend` and 1 to each block of the input, as big-endian numbers modulo the size of a block. */
function addToBlocks(input: Buffer, addend: Buffer, blockBytes: number): void {
  for (let start = 0; start < input.length; start += blockBytes) {
    let carry = 1
    for (let i = blockBytes - 1; i >= 0; i -= 1) {
      carry += (input[start + i] ?? 0) + (addend[i] ?? 0)
      input[start + i] = carry & 0xff
      carry >>= 8
    }
  }
}

/** PBKDF2 on the thread pool. */
export const deriveByPbkdf2 = promisify(pbkdf2)
