import { fail, failValidation } from '@asiento/proto/errors'
import { forbiddenCharacter } from '../../canonical/text.ts'

/** Something that the caller should know of the invoice that was made. */
export interface ConversionWarning {
  code: string
  message: string
  field?: string
  /** Given minus computed, in cents. */
  residue_cents?: number
  /** Of annex II of Orden HAP/1650/2015, for `portal_rule`. */
  rule?: string
}

/** Where warnings gather while an input becomes an invoice, and how its fields are called in messages. */
export interface Notes {
  warnings: ConversionWarning[]
  warn: (code: string, message: string, field?: string, residueCents?: number) => void
  /** Where the invoice lies in the request: `['body']` or `['body', 'invoice_data']`. */
  loc: readonly string[]
}

export function createNotes(loc: readonly string[]): Notes {
  const warnings: ConversionWarning[] = []
  return {
    warnings,
    loc,
    warn: (code, message, field, residueCents) => {
      warnings.push({
        code,
        message,
        ...(field === undefined ? {} : { field }),
        ...(residueCents === undefined ? {} : { residue_cents: residueCents }),
      })
    },
  }
}

/** 422 for one field of the invoice. */
export const refuseField = (notes: Notes, path: readonly (string | number)[], message: string): never =>
  failValidation([...notes.loc, ...path], message)

/** 400 `INVALID_INPUT`. */
export const refuse = (detail: string): never => fail('INVALID_INPUT', { detail })

/** Blanks at the ends gone; null for nothing. */
export function present(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === undefined || trimmed === '' ? undefined : trimmed
}

/** A text cut to what the format takes, counted in characters, with a warning when something was lost. */
export function clip(text: string, charactersMax: number, field: string, notes: Notes): string {
  if (text.length <= charactersMax) return text
  const characters = [...text]
  if (characters.length <= charactersMax) return text
  notes.warn('text_truncated', `${field} was cut to the ${charactersMax} characters that Facturae allows.`, field)
  return characters.slice(0, charactersMax).join('').trimEnd()
}

export function clipOptional(
  text: string | null | undefined,
  charactersMax: number,
  field: string,
  notes: Notes,
): string | undefined {
  const value = present(text)
  return value === undefined ? undefined : clip(value, charactersMax, field, notes)
}

/** A member of an object literal only where there is a value. */
export const maybe = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }

/**
 * Refuses characters that XML cannot hold and the carriage return, which no parser keeps: a signature over it would
 * break. Fails with INVALID_INPUT naming the field.
 */
export function refuseForbiddenCharacters(value: unknown): void {
  const found = findForbidden(value)
  if (found === null) return
  const path = found.path.reverse().join('').replace(/^\./, '')
  const why = found.character === 'U+000D' ? 'does not survive in a signed XML: use line feeds only' : 'XML cannot hold'
  refuse(`${path} holds the character ${found.character}, which ${why}.`)
}

/** Where a forbidden character is: the steps of its path, innermost first. */
function findForbidden(value: unknown): { character: string; path: string[] } | null {
  if (typeof value === 'string') {
    const character = forbiddenCharacter(value)
    return character === null ? null : { character, path: [] }
  }
  if (value === null || typeof value !== 'object') return null
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = findForbidden(value[index])
      if (found !== null) return { ...found, path: [...found.path, `[${index}]`] }
    }
    return null
  }
  for (const key in value) {
    const found = findForbidden((value as Record<string, unknown>)[key])
    if (found !== null) return { ...found, path: [...found.path, `.${key}`] }
  }
  return null
}
