import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { client, sample } from '../e2e/api.ts'
import type { Account } from '../provision/accounts.ts'
import { type Door, makeAccount, makeKey, openDoor, withToken } from './door.ts'

let door: Door
let ana: Account
let eva: Account

beforeAll(async () => {
  door = await openDoor()
  ana = await makeAccount(door, 'ana@ejemplo-empresa.es')
  eva = await makeAccount(door, 'eva@ejemplo-empresa.es')
})
afterAll(() => door?.close())

interface GraphQLAnswer {
  // Tests read what they have just asked for.
  data: Record<string, Record<string, unknown>> | null
  errors?: { message: string; extensions: { error_code: string } }[]
}

const ask = async (account: Account | null, query: string, headers: Record<string, string> = {}) => {
  const caller = account === null ? client(door.baseUrl) : withToken(door, account)
  const { body } = await caller.send('POST', '/graphql', { query }, headers)
  return body as unknown as GraphQLAnswer
}
const codes = (answer: GraphQLAnswer) => answer.errors?.map((error) => error.extensions.error_code)

test('every root field of the contract answers, lists as connections', async () => {
  const list = '{ totalCount pageInfo { hasNextPage endCursor } }'
  const answer = await ask(
    ana,
    `{ me { email plan } quota { remaining } metrics { total dailyUsage { day count } }
       history ${list} jobs ${list} vendors ${list} certificates ${list} keys ${list} webhooks ${list}
       subaccounts ${list} dueDates ${list}
       ledger { access { access reason } entries { totalCount sums { balance } } journal ${list} recurring ${list}
         recurringInvoices ${list} proposals ${list} budget(year: 2026) { year } taxPayments ${list}
         fiscalProfile { nif } trialBalance(from: "2026-01-01", to: "2026-12-31") { totals { debit } }
         insights(year: 2026, period: "T1") { summary { income } } yoy(year: 2026, period: "T1") { year }
         taxModel(model: "303", year: 2026, period: "T1") { result } } }`,
  )
  expect(answer.errors).toBeUndefined()
  expect(answer.data).toMatchObject({ me: { email: ana.email }, history: { totalCount: 0 } })
})

test('a write is a mutation of verb and noun with one input; pages follow their cursor', async () => {
  const create = (concept: string) =>
    ask(
      ana,
      `mutation { createEntry(input: { type: "income", date: "2026-03-02", concept: "${concept}", base: 100, taxRate: 21 }) { id total } }`,
    )
  for (const concept of ['uno', 'dos', 'tres']) expect((await create(concept)).data?.createEntry?.total).toBe(121)
  const page = async (after: string) =>
    (
      await ask(
        ana,
        `{ ledger { entries(first: 2${after}, filter: { type: "income" }) { totalCount nodes { concept } pageInfo { hasNextPage endCursor } } } }`,
      )
    ).data?.ledger?.entries as {
      totalCount: number
      nodes: unknown[]
      pageInfo: { hasNextPage: boolean; endCursor: string }
    }
  const first = await page('')
  expect([first.totalCount, first.nodes.length, first.pageInfo.hasNextPage]).toEqual([3, 2, true])
  const second = await page(`, after: "${first.pageInfo.endCursor}"`)
  expect([second.nodes.length, second.pageInfo.hasNextPage]).toEqual([1, false])
})

test("another account sees nothing of it and is told by the table's codes", async () => {
  const { data } = await ask(ana, '{ ledger { entries(first: 1) { nodes { id } } } }')
  const id = (data?.ledger?.entries as { nodes: { id: number }[] } | undefined)?.nodes[0]?.id
  expect((await ask(eva, '{ ledger { entries { totalCount } } history { totalCount } }')).data).toEqual({
    ledger: { entries: { totalCount: 0 } },
    history: { totalCount: 0 },
  })
  expect(codes(await ask(eva, `mutation { updateEntry(input: { entryId: ${id}, notes: "ajena" }) { id } }`))).toEqual([
    'ACCESS_DENIED',
  ])
  expect(codes(await ask(eva, '{ extraction(logId: 999999) { logId } }'))).toEqual(['INVOICE_NOT_FOUND'])
})

test('each refusal has its code: no credentials, wrong input, unknown fields, too deep, too many at once', async () => {
  expect(codes(await ask(null, '{ quota { used } }'))).toEqual(['AUTH_REQUIRED'])
  expect(codes(await ask(ana, '{ history(first: 100000) { totalCount } }'))).toEqual(['INVALID_INPUT'])
  expect(codes(await ask(ana, '{ nothing }'))).toEqual(['INVALID_INPUT'])
  const aliases = Array.from({ length: 40 }, (_, index) => `a${index}: quota { used }`).join(' ')
  expect(codes(await ask(ana, `{ ${aliases} }`))).toContain('INVALID_INPUT')
  const deep = `{ __schema { types { ${'fields { type { '.repeat(10)} name ${'} }'.repeat(10)} } } }`
  expect(codes(await ask(ana, deep))).toContain('INVALID_INPUT')
})

describe("the dashboard's cookie", () => {
  const login = (origin: string) =>
    client(door.baseUrl).send('POST', '/auth/login?cookie=1', { email: ana.email, password: ana.password }, { origin })

  test('is given to the own origin only, and works on GraphQL only with the header that other sites cannot send', async () => {
    expect((await login('https://evil.example')).headers.get('set-cookie')).toBeNull()
    const set = (await login(door.baseUrl)).headers.get('set-cookie') ?? ''
    expect(set).toMatch(/HttpOnly/)
    expect(set).toMatch(/SameSite=Strict/)
    const cookie = set.split(';')[0] ?? ''
    expect(codes(await ask(null, '{ me { email } }', { cookie }))).toEqual(['AUTH_REQUIRED'])
    const answer = await ask(null, '{ me { email } }', { cookie, 'x-requested-with': 'asiento' })
    expect(answer.data?.me?.email).toBe(ana.email)
    const rest = await client(door.baseUrl).get('/quota', { cookie, 'x-requested-with': 'asiento' })
    expect([rest.status, rest.body.error_code]).toEqual([401, 'AUTH_REQUIRED'])
  })
})

test('jobProgress streams a job until it is done', async () => {
  const key = await makeKey(door, ana)
  const { bytes } = await sample('factura-digital.pdf')
  const job = await client(door.baseUrl, { 'x-api-key': key }).upload('/batch/job', [
    { name: 'a.pdf', bytes, field: 'files' },
  ])
  const response = await fetch(`${door.baseUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-api-key': key },
    body: JSON.stringify({
      query: `subscription { jobProgress(jobId: "${job.body.job_id}") { status processed total } }`,
    }),
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const text = await response.text()
  const states = [...text.matchAll(/^data: (\{.*\})$/gm)].map((match) => JSON.parse(match[1] ?? '{}').data?.jobProgress)
  expect(states.filter(Boolean).at(-1)).toEqual({ status: 'done', processed: 1, total: 1 })
})
