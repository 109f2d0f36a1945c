import { type AsnType, fromBER } from 'asn1js'

/** What was to be read is no DER or BER, or not of the expected shape. */
export class DerError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DerError'
  }
}

/** Bounds of one parse: a file of 5 MB made of empty elements must not become millions of objects. */
const limits = { maxDepth: 40, maxNodes: 50_000, maxContentLength: 6 * 1024 * 1024, parseEmbedded: false }

/** Reads one DER or BER element (indefinite lengths too); what follows it is ignored. Fails with {@link DerError}. */
export function readDer(bytes: Uint8Array): AsnType {
  const { offset, result } = parse(bytes)
  if (offset < 0) throw new DerError(result.error === '' ? 'not DER or BER' : result.error)
  return result
}

/** Values of damaged strings and times make the parser throw instead of answering an error. */
function parse(bytes: Uint8Array): ReturnType<typeof fromBER> {
  try {
    return fromBER(Uint8Array.from(bytes), limits)
  } catch (error) {
    throw new DerError(error instanceof Error ? error.message : 'not DER or BER')
  }
}

/** The elements inside a SEQUENCE, SET or explicit tag. */
export function children(node: AsnType | undefined): AsnType[] {
  const block: object | undefined = node?.valueBlock
  if (node?.idBlock.isConstructed !== true || block === undefined || !('value' in block) || !Array.isArray(block.value))
    throw new DerError('a sequence is missing')
  // asn1js fills a constructed block with elements only; its type leaves that open.
  return block.value as AsnType[]
}

/** The element that an explicit tag wraps. */
export function inside(node: AsnType | undefined): AsnType {
  const [first] = children(node)
  if (first === undefined) throw new DerError('an element is missing')
  return first
}

/** Whether an element has the context-specific tag `[number]`. */
export const isContext = (node: AsnType | undefined, number: number): boolean =>
  node?.idBlock.tagClass === 3 && node.idBlock.tagNumber === number

/** Whether an element has the universal tag `number`. */
export const isUniversal = (node: AsnType | undefined, number: number): boolean =>
  node?.idBlock.tagClass === 1 && node.idBlock.tagNumber === number

/** An object identifier in dotted form. */
export function oid(node: AsnType | undefined): string {
  if (!isUniversal(node, 6)) throw new DerError('an object identifier is missing')
  return String(node?.valueBlock)
}

/** The bytes of a string or of any primitive; pieces of a BER string are put together. */
export function octets(node: AsnType | undefined): Buffer {
  if (node === undefined) throw new DerError('a string is missing')
  if (node.idBlock.isConstructed) return Buffer.concat(children(node).map(octets))
  const view: unknown = 'valueHexView' in node.valueBlock ? node.valueBlock.valueHexView : undefined
  if (!(view instanceof Uint8Array)) throw new DerError('a string is missing')
  return Buffer.from(view)
}

/** An INTEGER of at most 53 bits, not negative. */
export function smallInteger(node: AsnType | undefined): number {
  if (!isUniversal(node, 2)) throw new DerError('an integer is missing')
  const value = BigInt(`0x${rawValue(node).toString('hex') || '0'}`)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) return Number.MAX_SAFE_INTEGER
  return Number(value)
}

/** The element as it was encoded, tag and length included. */
export const encoded = (node: AsnType): Buffer => Buffer.from(node.valueBeforeDecodeView)

/** The content of a primitive element as it was encoded. */
function rawValue(node: AsnType | undefined): Buffer {
  if (node === undefined) throw new DerError('an element is missing')
  const whole = encoded(node)
  const first = whole[1] ?? 0
  return whole.subarray(first < 0x80 ? 2 : 2 + (first & 0x7f))
}
