import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLog } from '@asiento/chassis/log'
import { afterEach, describe, expect, it } from 'vitest'
import { createAccountModel } from '../src/adapters/out/account-model.ts'

const close: (() => void)[] = []
afterEach(() => {
  for (const end of close.splice(0)) end()
})

/** A language model's server: the path and shapes of OpenAI's chat completions, answering as told, or never. */
async function modelDouble(answer: { status?: number; body?: string } | 'hang') {
  const asked: { url: string; authorization: string | undefined; text: string }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      asked.push({ url: request.url ?? '', authorization: request.headers.authorization, text })
      if (answer === 'hang') return
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' }).end(answer.body)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  close.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
  return { url, asked, end: () => server.close() }
}

const said = (content: string) => JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] })
const ask = (url: string) =>
  createAccountModel({
    url,
    model: 'local',
    key: 'k-1',
    timeoutMs: 300,
    log: createLog({ name: 'risk', level: 'silent' }),
  })({ vendorName: 'Casa Ubeda', lines: [{ description: 'Género vario' }], totalCents: 12050 }, ['600', '602', '629'])

describe('the optional language model', () => {
  it('proposes the account it names, and is told vendor, lines, total and candidates', async () => {
    const double = await modelDouble({ body: said('La cuenta es 629.') })
    expect(await ask(double.url)).toBe('629')
    const [question] = double.asked
    expect(question?.url).toBe('/v1/chat/completions')
    expect(question?.authorization).toBe('Bearer k-1')
    for (const part of ['Casa Ubeda', 'Género vario', '120.5', '600, 602, 629']) expect(question?.text).toContain(part)
  })

  it.each([
    { name: 'an account that the chart lacks', answer: { body: said('619') } },
    { name: 'no account at all', answer: { body: said('No lo sé, pregunte a su gestor') } },
    { name: 'no choices', answer: { body: '{"choices":[]}' } },
    { name: 'another shape', answer: { body: '{"account":"629"}' } },
    { name: 'no JSON', answer: { body: '<html>629</html>' } },
    { name: 'an error', answer: { status: 500, body: said('629') } },
    { name: 'a refusal', answer: { status: 429, body: said('629') } },
    { name: 'nothing in time', answer: 'hang' as const },
  ])('is not believed when it answers with $name', async ({ answer }) => {
    const double = await modelDouble(answer)
    expect(await ask(double.url)).toBeNull()
    expect(double.asked).toHaveLength(1)
  })

  it('is not missed when it is down', async () => {
    const double = await modelDouble('hang')
    double.end()
    expect(await ask(double.url)).toBeNull()
  })
})
