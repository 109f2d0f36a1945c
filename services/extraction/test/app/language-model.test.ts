import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, textPdf, type World } from './kit.ts'

let answer: (response: ServerResponse, prompt: string) => void = () => {}
let asked = 0
let server: Server
let world: World
beforeAll(async () => {
  server = createServer(async (request, response) => {
    asked += 1
    const body = await new Response(request as never).text()
    answer(response, body)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  world = await startWorld({
    environment: { EXTRACTION_LLM_URL: `http://127.0.0.1:${port}/v1`, EXTRACTION_LLM_TIMEOUT_MS: '400' },
  })
})
afterAll(async () => {
  await world.stop()
  server.closeAllConnections()
  server.close()
})

const says = (proposal: unknown) => (response: ServerResponse) => {
  const content = typeof proposal === 'string' ? proposal : JSON.stringify(proposal)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))
}

/** Amounts without any word that says what they are, and a number that nothing names. */
const unclear = textPdf([
  'CASA PUIG',
  'CIF B12345674',
  '',
  'Conste: QX/81',
  '12/03/2026',
  '',
  'Cantidades: 100,00 y 21,00 y 121,00',
  'Arrojan 77,00',
])
const right = { invoice_number: 'QX/81', subtotal: 100, tax: 21, total: 121 }
const codes = (warnings: readonly { code: string }[]) => warnings.map(({ code }) => code)
const read = async () => world.extract(await world.account(), await unclear)
/** What is read without any help. */
const alone = async () => {
  answer = says({})
  const { processing_ms: _a, _log_id: _b, fraud_checks: _c, accounting: _d, ...result } = await read()
  return result
}

describe('a language model', () => {
  test('that is right fills what the page bears out, with evidence', async () => {
    const before = await alone()
    expect(before.invoice_number).not.toBe(right.invoice_number)
    answer = says(right)
    const result = await read()
    expect(result).toMatchObject(right)
    expect(result.field_evidence.invoice_number).toMatchObject({ page: 1, text: 'QX/81' })
    expect(codes(result.warnings)).not.toContain('llm_rejected')
    expect(result.confidence_score).toBeLessThan(0.9)
  })

  test.each<[string, Record<string, unknown>]>([
    ['a number that the page does not show', { invoice_number: 'QX/99' }],
    ['a total that the amounts do not prove', { subtotal: 100, tax: 21, total: 77 }],
    ['amounts that add up and are not printed', { subtotal: 200, tax: 42, total: 242 }],
    ['amounts that add up with a tax that is no rate', { subtotal: 21, tax: 100, total: 121 }],
    ['an IBAN with wrong check digits', { iban: 'ES0000000000000000000000' }],
  ])('that lies about %s changes nothing but a warning', async (_what, lie) => {
    const before = await alone()
    answer = says(lie)
    const result = await read()
    expect(result).toMatchObject({ ...before, warnings: [...before.warnings, { code: 'llm_rejected' }] })
  })

  test.each<[string, unknown]>([
    ['no JSON', 'Claro, la factura dice…'],
    ['another shape', { number: 'QX/81' }],
    ['wrong types', { total: '121,00' }],
    ['an unreal date', { invoice_date: '2026-02-31' }],
  ])('that answers %s changes nothing but a warning', async (_what, content) => {
    const before = await alone()
    answer = says(content)
    const result = await read()
    expect(result).toMatchObject({ ...before, warnings: [...before.warnings, { code: 'llm_rejected' }] })
  })

  test('that fails or does not answer in time changes nothing but a warning, and is left alone after three times', async () => {
    const before = await alone()
    const broken = { ...before, warnings: [...before.warnings, { code: 'llm_unavailable' }] }
    answer = (response) => response.writeHead(500).end()
    expect(await read()).toMatchObject(broken)
    answer = () => {}
    expect(await read()).toMatchObject(broken)
    answer = (response) => response.destroy()
    expect(await read()).toMatchObject(broken)
    const until = asked
    answer = says(right)
    expect(await read()).toMatchObject(broken)
    expect(asked).toBe(until)
  })
})
