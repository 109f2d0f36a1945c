import { createHmac, pbkdf2Sync } from 'node:crypto'
import { Integer, Null, ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import { children, inside, octets, readDer } from '../../src/certificates/der.ts'

/** Replaces the seal of a file by PBMAC1 (RFC 9579), as OpenSSL 3.4 writes it. */
export function withPbmac1(file: Buffer, password: string, iterations: number, statedIterations = iterations): Buffer {
  const salt = Buffer.from('0123456789abcdef')
  const key = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const sha256 = algorithm('1.2.840.113549.2.9', new Null())
  const derivation = algorithm(
    '1.2.840.113549.1.5.12',
    new Sequence({
      value: [
        new OctetString({ valueHex: salt }),
        new Integer({ value: statedIterations }),
        new Integer({ value: 32 }),
        sha256,
      ],
    }),
  )
  const pbmac1 = algorithm('1.2.840.113549.1.5.14', new Sequence({ value: [derivation, sha256] }))
  return withMac(file, pbmac1, (content) => createHmac('sha256', key).update(content).digest(), 1)
}

/** Replaces it by the MAC of RFC 7292, which does not hold but costs as many iterations to find out. */
export const withLegacyMac = (file: Buffer, iterations: number): Buffer =>
  withMac(file, algorithm('2.16.840.1.101.3.4.2.1', new Null()), () => Buffer.alloc(32, 7), iterations)

const algorithm = (oid: string, parameters: Sequence | Null): Sequence =>
  new Sequence({ value: [new ObjectIdentifier({ value: oid }), parameters] })

function withMac(file: Buffer, kind: Sequence, mac: (content: Buffer) => Buffer, iterations: number): Buffer {
  const [version, authSafe] = children(readDer(file))
  if (version === undefined || authSafe === undefined) throw new Error('no PFX')
  const content = octets(inside(children(authSafe)[1]))
  const digest = new Sequence({ value: [kind, new OctetString({ valueHex: mac(content) })] })
  const macData = new Sequence({
    value: [digest, new OctetString({ valueHex: Buffer.alloc(8, 1) }), new Integer({ value: iterations })],
  })
  return Buffer.from(new Sequence({ value: [version, authSafe, macData] }).toBER())
}
