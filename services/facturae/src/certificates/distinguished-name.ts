import type { AsnType } from 'asn1js'
import { children, encoded, octets, oid } from './der.ts'

/** One attribute of a name: its object identifier, its text, and its value in DER. */
export interface NameAttribute {
  type: string
  value: string
}

/** A distinguished name: relative names in the order of their encoding, each with its attributes. */
export type DistinguishedName = NameAttribute[][]

/** Reads an X.501 Name. Fails with {@link DerError}. */
export const readName = (node: AsnType | undefined): DistinguishedName =>
  children(node).map((relative) =>
    children(relative).map((attribute) => {
      const [type, value] = children(attribute)
      return { type: oid(type), value: textOf(value) }
    }),
  )

function textOf(node: AsnType | undefined): string {
  const bytes = octets(node)
  const tag = node?.idBlock.tagNumber
  if (tag === 30)
    return Buffer.from(bytes.length % 2 === 0 ? bytes : bytes.subarray(1))
      .swap16()
      .toString('utf16le')
  if (tag === 12) return bytes.toString('utf8')
  if (tag === 28 && node !== undefined) return `#${encoded(node).toString('hex')}`
  return bytes.toString('latin1')
}

/**
 * The short names of RFC 4514 section 3, and those that Java (so @firma and DSS) and OpenSSL agree on for the rest; others
 * are written as `OID.1.2.3=text`, as the public portal's own signing tools do.
 */
const shortNames: Readonly<Record<string, string | undefined>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SURNAME',
  '2.5.4.5': 'SERIALNUMBER',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'T',
  '2.5.4.42': 'GIVENNAME',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'EMAILADDRESS',
}

/** A name as text in the order and with the escapes of RFC 4514: the last relative name first, "CN=…, OU=…, C=ES". */
export const nameText = (name: DistinguishedName): string =>
  name
    .toReversed()
    .map((relative) => relative.map(attributeText).join('+'))
    .join(', ')

const attributeText = ({ type, value }: NameAttribute): string =>
  `${shortNames[type] ?? `OID.${type}`}=${escapeValue(value)}`

const escapeValue = (value: string): string =>
  value
    .replace(/["+,;<>\\]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/(?<!\\) $/, '\\ ')
    .replaceAll('\0', '\\00')

/** The first value of an attribute type, or undefined. */
export const attributeOf = (name: DistinguishedName, type: string): string | undefined =>
  name.flat().find((attribute) => attribute.type === type)?.value
