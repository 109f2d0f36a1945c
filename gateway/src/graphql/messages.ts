import { errorCodes } from '@asiento/proto/errors'
import { z } from 'zod'

/** A query or mutation as the body of a POST. */
export const graphQLRequest = z.object({
  query: z.string().meta({ examples: ['{ quota { plan used remaining } }'] }),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
})

/** A query in the address, as a browser's event source sends it; `variables` is JSON. */
export const graphQLQuery = z.object({
  query: z.string(),
  variables: z.string().optional(),
  operationName: z.string().optional(),
})

/** What GraphQL answers: data, errors with the codes of the table, or both. */
export const graphQLAnswer = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(z.object({ message: z.string(), extensions: z.looseObject({ error_code: z.enum(errorCodes) }) }).loose())
    .optional(),
})
