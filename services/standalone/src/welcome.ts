import type { DemoAccount } from './demo-account.ts'

/** What a person sees when everything runs: where it is, and a first call to paste. */
export function welcome(facts: DemoAccount & { dataDirectory: string; seconds: number }): string {
  return `
Asiento is ready after ${facts.seconds.toFixed(1)} s.

  API        ${facts.base_url}
  Reference  ${facts.base_url}/docs
  GraphQL    ${facts.base_url}/graphql
  Demo       ${facts.email} (password and key in ${facts.dataDirectory}/demo.json)

Read an invoice:

  curl -s ${facts.base_url}/extract -H 'X-API-Key: ${facts.api_key}' -F file=@samples/factura-digital.pdf
`
}
