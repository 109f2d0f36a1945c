import { createHash, X509Certificate } from 'node:crypto'
import { isValidTaxId, normalizeTaxId } from '@asiento/proto/tax-id'
import { children, isContext, octets, oid, readDer } from './der.ts'
import { attributeOf, type DistinguishedName, nameText, readName } from './distinguished-name.ts'

/** What a certificate says of itself; nothing secret. */
export interface CertificateDescription {
  /** RFC 4514 order: "CN=…, …, C=ES". */
  subject: string
  issuer: string
  /** Decimal, of any length. */
  serialNumber: string
  notBefore: Date
  notAfter: Date
  /** NIF of who signs: the represented organization's if there is one, else the person's; null when it names none. */
  taxId: string | null
  /** NIF of the person, also where an organization is represented. */
  personTaxId: string | null
  /** SHA-256 of the DER, hex. */
  fingerprint: string
  keyUsage: KeyUsage[] | null
}

export type KeyUsage = (typeof keyUsages)[number]

/** RFC 5280 section 4.2.1.3, by bit. */
const keyUsages = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const

/** Describes a certificate in DER. Fails with {@link DerError} or the runtime's own error when it cannot be read. */
export function describeCertificate(der: Uint8Array): CertificateDescription {
  const certificate = new X509Certificate(der)
  const [tbs] = children(readDer(der))
  const fields = children(tbs)
  const [, , issuer, , subject] = isContext(fields[0], 0) ? fields.slice(1) : fields
  const subjectName = readName(subject)
  return {
    subject: nameText(subjectName),
    issuer: nameText(readName(issuer)),
    serialNumber: BigInt(`0x${certificate.serialNumber}`).toString(),
    notBefore: certificate.validFromDate,
    notAfter: certificate.validToDate,
    ...taxIdsOf(subjectName),
    fingerprint: createHash('sha256').update(der).digest('hex'),
    keyUsage: keyUsageOf(fields.find((field) => isContext(field, 3))),
  }
}

/**
 * ETSI EN 319 412-1 section 5.1.3: serialNumber "IDCES-99999999R", organizationIdentifier "VATES-B12345674". Older Spanish
 * certificates hold the bare NIF, or have it in the common name ("… - 99999999R", "… (R: B12345674)").
 */
function taxIdsOf(subject: DistinguishedName): { taxId: string | null; personTaxId: string | null } {
  const commonName = attributeOf(subject, '2.5.4.3') ?? ''
  const organization =
    taxIdIn(attributeOf(subject, '2.5.4.97')) ?? taxIdIn(/\(R:\s*([A-Z0-9]{9})\)/.exec(commonName)?.[1])
  const person =
    taxIdIn(attributeOf(subject, '2.5.4.5')) ?? taxIdIn(/(?:-|NIF:?|DNI:?)\s*([A-Z0-9]{9})\b/.exec(commonName)?.[1])
  return { taxId: organization ?? person, personTaxId: person }
}

function taxIdIn(text: string | undefined): string | null {
  if (text === undefined) return null
  const bare = normalizeTaxId(text.replace(/^(?:IDC|VAT|PNO|TIN|PAS)ES-/i, ''))
  return isValidTaxId(bare) ? bare : null
}

function keyUsageOf(extensions: Parameters<typeof children>[0]): KeyUsage[] | null {
  if (extensions === undefined) return null
  for (const extension of children(children(extensions)[0])) {
    const parts = children(extension)
    if (oid(parts[0]) !== '2.5.29.15') continue
    const bits = octets(parts.at(-1))
    // The value is a BIT STRING in DER: tag, length, unused bits, bits.
    return keyUsages.filter((_, i) => (((bits[3 + (i >> 3)] ?? 0) >> (7 - (i & 7))) & 1) === 1)
  }
  return null
}
