import { describe, expect, it } from 'vitest'
import { decryptRc2Cbc } from '../../src/certificates/rc2.ts'

/** RFC 2268 section 5: key, effective bits, plaintext, ciphertext of one block. */
const vectors: [string, number, string, string][] = [
  ['0000000000000000', 63, '0000000000000000', 'ebb773f993278eff'],
  ['ffffffffffffffff', 64, 'ffffffffffffffff', '278b27e42e2f0d49'],
  ['3000000000000000', 64, '1000000000000001', '30649edf9be7d2c2'],
  ['88', 64, '0000000000000000', '61a8a244adacccf0'],
  ['88bca90e90875a', 64, '0000000000000000', '6ccf4308974c267f'],
  ['88bca90e90875a7f0f79c384627bafb2', 64, '0000000000000000', '1a807d272bbe5db1'],
  ['88bca90e90875a7f0f79c384627bafb2', 128, '0000000000000000', '2269552ab0f85ca6'],
]

describe('RC2', () => {
  it.each(vectors)('decrypts the vector of RFC 2268 with key %s of %d bits', (key, bits, plain, cipher) => {
    // The vectors have no padding: the initialization vector turns the block into a full one of it.
    const iv = Buffer.from(plain, 'hex').map((value) => value ^ 8)
    const block = Buffer.from(cipher, 'hex')
    expect(decryptRc2Cbc(Buffer.from(key, 'hex'), bits, iv, block)).toEqual(Buffer.alloc(0))
    expect(decryptRc2Cbc(Buffer.from(key, 'hex'), bits, Buffer.alloc(8, 0xa5), block)).toBeNull()
  })
})
