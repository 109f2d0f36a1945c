import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { facturaeStartTag, facturaeXml } from '../../src/domain/build/facturae-xml.ts'
import { invoiceFromInput } from '../../src/domain/build/invoice-from-input.ts'
import { escapeText } from '../../src/domain/canonical/text.ts'
import { readTree, type XmlTree } from '../../src/domain/parse/tree.ts'
import { fitsSchema } from '../../src/xsd/fits-schema.ts'
import { schemaErrorsOf } from '../../src/xsd/schemas.ts'
import { invoiceArbitrary, runs } from '../support/invoices.ts'

const built = invoiceArbitrary(4).map((input) => {
  const { invoice, figures } = invoiceFromInput(input)
  return facturaeXml(invoice, figures)
})
const fits = (xml: string) => fitsSchema(xml, readTree(xml), facturaeStartTag, '3.2.2')
const isValid = (xml: string): boolean => {
  try {
    return schemaErrorsOf(xml, '3.2.2').length === 0
  } catch {
    return false
  }
}

describe('the quick look at what we wrote', () => {
  it('takes whatever the builder makes', { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(built, (xml) => {
        expect(fits(xml)).toBe(true)
      }),
      { numRuns: runs(150) },
    )
  })

  it('never takes what the whole validator refuses, however an invoice is damaged', { timeout: 1_800_000 }, () => {
    let refused = 0
    fc.assert(
      fc.property(built, fc.nat(), fc.constantFrom(...damages), (xml, place, damage) => {
        const root = structuredClone(readTree(xml))
        const nodes = elementsOf(root)
        const chosen = nodes[place % nodes.length]
        if (chosen === undefined) return
        damage(chosen, place)
        const damaged = facturaeStartTag + root.children.map(write).join('') + endTag
        const valid = isValid(damaged)
        if (!valid) refused += 1
        expect(valid || !fits(damaged)).toBe(true)
      }),
      { numRuns: runs(600, 20_000) },
    )
    expect(refused).toBeGreaterThan(200)
  })

  const [sample = ''] = fc.sample(built, { numRuns: 1, seed: 7 })
  it.each([
    ['an attribute', '<Modality>', '<Modality id="1">'],
    ['an end tag of another name', '</Modality>', '</Modalitx>'],
    ['a prefix', '<Modality>I</Modality>', '<fe:Modality>I</fe:Modality>'],
    ['a comment', '<Modality>', '<!-- --><Modality>'],
    ['a processing instruction', '<Modality>', '<?a b?><Modality>'],
    ['a blank between elements', '<Modality>', ' <Modality>'],
    ['a control character', '<BatchIdentifier>', '<BatchIdentifier>\u0001'],
    ['an unescaped sign', '<BatchIdentifier>', '<BatchIdentifier>>'],
    ['an element in a text', '<Modality>I', '<Modality>I<A></A>'],
    ['something behind the root', endTagOf(sample), `${endTagOf(sample)}<A></A>`],
    ['another namespace', 'Facturaev3_2_2.xml', 'Facturaev3_2_3.xml'],
    ['a signature', '</Invoices>', '</Invoices><ds:Signature></ds:Signature>'],
  ])('leaves %s to the whole validator', (_name, from, to) => {
    expect(sample).toContain(from)
    expect(fits(sample)).toBe(true)
    expect(fits(sample.replace(from, to))).toBe(false)
  })
})

const endTag = '</fe:Facturae>'
function endTagOf(xml: string): string {
  return xml.slice(-endTag.length)
}

const write = ({ name, text, children }: XmlTree): string =>
  `<${name}>${escapeText(text)}${children.map(write).join('')}</${name}>`

const elementsOf = (node: XmlTree): XmlTree[] => [node, ...node.children.flatMap(elementsOf)]

const texts = [
  '',
  'X',
  '-1',
  '1.5',
  '1.50',
  '1e5',
  ' 1.00',
  '2026-02-30',
  '2026-01-31',
  '2025-12-31Z',
  '00',
  '01',
  'EUR',
  'ESP',
]
const damages: readonly ((node: XmlTree, place: number) => void)[] = [
  (node, place) => void node.children.splice(place % Math.max(1, node.children.length), 1),
  (node, place) => {
    const child = node.children[place % Math.max(1, node.children.length)]
    if (child !== undefined) node.children.push(child)
  },
  (node) => void node.children.reverse(),
  (node, place) => {
    node.name = ['Tax', 'Name', 'TotalAmount', 'Unknown'][place % 4] ?? 'Unknown'
  },
  (node, place) => {
    node.text = texts[place % texts.length] ?? ''
    if (place % 3 > 0) node.children = []
  },
  (node, place) => {
    node.text = 'ñ'.repeat(1 + (place % 3000))
  },
]
