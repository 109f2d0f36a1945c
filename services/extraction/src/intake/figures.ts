import { fail } from '@asiento/proto/errors'
import { type Cents, cents, euros, scaled, scaledText } from '@asiento/proto/money'

/** An amount of an XML invoice in cents, null where it is missing. Fails INVALID_INPUT for what is no number. */
export function readCents(text: string | null, what: string): Cents | null {
  return text === null ? null : exactly(text, what, cents)
}

/** A quantity, price or rate as a JSON number with at most eight decimals. */
export function readDecimal(text: string | null, what: string): number | null {
  return text === null ? null : exactly(text, what, (value) => Number(scaledText(scaled(value))))
}

function exactly<T>(text: string, what: string, read: (text: string) => T): T {
  try {
    return read(text)
  } catch (error) {
    return fail('INVALID_INPUT', { detail: `${what} is no number: ${text.slice(0, 40)}`, cause: error })
  }
}

export const toEuros = (value: Cents | null): number | null => (value === null ? null : euros(value))

/** `YYYY-MM-DD` at the start of the text, or `YYYYMMDD` (CII, format 102); null for anything else. */
export function readDate(text: string | null): string | null {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text ?? '')
  if (match === null) return null
  const date = `${match[1]}-${match[2]}-${match[3]}`
  const parsed = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== date ? null : date
}
