import { ValidationFailure, type ValidationIssue } from '@asiento/proto/errors'
import type { z } from 'zod'

export type Place = 'body' | 'query' | 'path' | 'header'

/** Parses one part of a request. Fails with 422, every issue with its place first. */
export function parsePart(schema: z.ZodType, value: unknown, place: Place): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new ValidationFailure(parsed.error.issues.flatMap((issue) => issuesOf(issue, place, value)))
}

function issuesOf(issue: z.core.$ZodIssue, place: Place, value: unknown): ValidationIssue[] {
  const loc = [place, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      loc: [...loc, key],
      msg: 'Extra inputs are not permitted',
      type: 'extra_forbidden',
    }))
  }
  const missing = issue.code === 'invalid_type' && at(value, issue.path) === undefined
  return [{ loc, msg: missing ? 'Field required' : issue.message, type: missing ? 'missing' : types[issue.code] }]
}

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (nested, key) => (nested === null || nested === undefined ? undefined : Object(nested)[key]),
    value,
  )

/** Zod's kinds of issue in the words of FastAPI's HTTPValidationError. */
const types: Record<z.core.$ZodIssue['code'], string> = {
  invalid_type: 'type_error',
  too_big: 'too_large',
  too_small: 'too_small',
  invalid_format: 'string_pattern_mismatch',
  not_multiple_of: 'multiple_of',
  unrecognized_keys: 'extra_forbidden',
  invalid_union: 'union_error',
  invalid_key: 'invalid_key',
  invalid_element: 'invalid_element',
  invalid_value: 'enum',
  custom: 'value_error',
}
