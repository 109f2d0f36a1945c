import type { Operation } from '@asiento/proto/operation'
import { operations } from '@asiento/proto/operations'
import { expect, test } from 'vitest'
import { recordedExamples } from '../src/openapi.ts'

// What is public and takes no body of our own (the provider's events) shows nothing that its schema does not tell.
const rows = (Object.values(operations) as readonly Operation[]).filter(({ auth }) => auth !== 'none')
const named = (list: readonly Operation[]) => list.map((row) => [row.id, row] as const)

test.each(named(rows.filter(({ body }) => body?.kind === 'json')))('%s shows a body that is accepted', (id, row) => {
  const request = row.examples?.request ?? recordedExamples[id]?.request
  expect(request).toBeDefined()
  if (row.body?.kind === 'json') row.body.schema.parse(request)
})

test.each(named(rows.filter(({ response }) => response.kind.startsWith('json'))))(
  '%s shows an answer of its kind',
  (id, row) => {
    const answer = row.examples?.response ?? recordedExamples[id]?.response
    expect(answer).toBeDefined()
    if ('schema' in row.response) row.response.schema.parse(answer)
  },
)
