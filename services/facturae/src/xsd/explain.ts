/** A place where a document breaks its schema, in words. */
export interface SchemaError {
  message: string
  /** XPath with local names, `/Facturae/Invoices/Invoice/…`; null where the parser names no place. */
  path: string | null
  line: number | null
}

interface Detail {
  message: string
  line?: number
  xpath?: string
}

type Rule = [pattern: RegExp, words: (match: string[]) => string]

const listed = (names: string): string => names.replace(/^\(\s*|\s*\)$/g, '').trim()

/** libxml2's messages, each with what it means. The first that fits is used. */
const rules: Rule[] = [
  [
    /Element '(.+?)': This element is not expected\. Expected is (?:one of )?(\(.*\))\./s,
    ([, name = '', expected = '']) =>
      `${local(name)} is not allowed here; the schema expects ${listed(local(expected))} in this place.`,
  ],
  [/Element '(.+?)': This element is not expected\./s, ([, name = '']) => `${local(name)} is not allowed here.`],
  [
    /Element '(.+?)': Missing child element\(s\)\. Expected is (?:one of )?(\(.*\))\./s,
    ([, name = '', expected = '']) => `${local(name)} is incomplete: ${listed(local(expected))} is missing.`,
  ],
  [
    /Element '(.+?)': \[facet 'maxLength'\] The value (?:'.*' )?has a length of '(\d+)'; this exceeds the allowed maximum length of '(\d+)'\./s,
    ([, name = '', length, max]) => `${local(name)} has ${length} characters; at most ${max} are allowed.`,
  ],
  [
    /Element '(.+?)': \[facet 'minLength'\] The value (?:'.*' )?has a length of '(\d+)'; this underruns the allowed minimum length of '(\d+)'\./s,
    ([, name = '', length, min]) => `${local(name)} has ${length} characters; at least ${min} are needed.`,
  ],
  [
    /Element '(.+?)': \[facet 'length'\] The value (?:'.*' )?has a length of '(\d+)'; this differs from the allowed length of '(\d+)'\./s,
    ([, name = '', length, exact]) => `${local(name)} has ${length} characters; it must have exactly ${exact}.`,
  ],
  [
    /Element '(.+?)': \[facet 'pattern'\] The value '(.*)' is not accepted by the pattern '(.*)'\./s,
    ([, name = '', value = '', pattern = '']) =>
      `${local(name)} '${short(value)}' has not the form that is asked: ${form(pattern)}.`,
  ],
  [
    /Element '(.+?)': \[facet 'enumeration'\] The value '(.*)' is not an element of the set \{(.*)\}\./s,
    ([, name = '', value = '', set = '']) =>
      `${local(name)} '${short(value)}' is none of the values allowed: ${short(set.replaceAll("'", ''), 160)}.`,
  ],
  [
    /Element '(.+?)': '(.*)' is not a valid value of the (?:atomic|local atomic|list|union) type '(.+?)'\./s,
    ([, name = '', value = '', type = '']) => `${local(name)} '${short(value)}' is no ${typeName(type)}.`,
  ],
  [
    /Element '(.+?)', attribute '(.+?)': The attribute '.+?' is not allowed\./s,
    ([, name = '', attribute = '']) => `${local(name)} may not have the attribute ${attribute}.`,
  ],
  [
    /Element '(.+?)': No matching global declaration available.*/s,
    ([, name = '']) => `${local(name)} is not known to the schema: the document is no Facturae of this version.`,
  ],
  [
    /Element '(.+?)': No matching global element declaration available, but demanded by the strict wildcard\./s,
    ([, name = '']) => `${local(name)} is an extension whose schema is not known here.`,
  ],
]

/** Says in words what libxml2 found. */
export function explainSchemaError(detail: Detail): SchemaError {
  const raw = detail.message.trim()
  for (const [pattern, words] of rules) {
    const match = pattern.exec(raw)
    if (match !== null) return { message: words([...match]), ...placeOf(detail) }
  }
  return { message: local(raw), ...placeOf(detail) }
}

const placeOf = ({ xpath, line }: Detail) => ({
  path: xpath === undefined || xpath === '' ? null : xpath.replace(/\/[^/:[\]]+:/g, '/'),
  line: line === undefined || line <= 0 ? null : line,
})

const local = (text: string): string => text.replace(/\{[^}]*\}/g, '')

const short = (text: string, charactersMax = 40): string =>
  text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text

const typeNames: Record<string, string> = {
  'xs:double': 'number',
  'xs:date': 'date (YYYY-MM-DD)',
  'xs:long': 'whole number',
}
const typeName = (type: string): string =>
  typeNames[type] ?? (local(type).startsWith('Double') ? 'number' : `value of ${local(type)}`)

const forms: Record<string, string> = {
  '-?[0-9]+(\\.[0-9]{1,8})?': 'a number with at most eight decimals',
  '-?[0-9]+\\.[0-9]{2}': 'a number with exactly two decimals',
  '[0-9]*': 'digits only',
  '\\d{5}': 'five digits',
}
const form = (pattern: string): string => forms[pattern] ?? pattern
