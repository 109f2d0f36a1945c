import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ErrorCode, errorTable } from '@asiento/proto/errors'
import type { Operation } from '@asiento/proto/operation'
import { type OperationId, operations } from '@asiento/proto/operations'
import { type LedgerPlanName, ledgerPlans, type PlanName, planNames, planOpens } from '@asiento/proto/plans'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAuthority, type Receiver, startReceiver } from '../../services/notifications/test/receiver.ts'
import type { HeaderFields } from '../e2e/api.ts'
import { type Account, admin } from '../provision/accounts.ts'
import { type Door, makeAccount, makeKey, openDoor, pdf, setPlans, withKey, withToken } from './door.ts'
import { bodies, makeResources, type Owned, ownerless } from './resources.ts'

const rows = Object.values(operations) as readonly (Operation & { id: OperationId })[]
const guarded = rows.filter((row) => row.auth !== 'none')
const parametersOf = (row: Operation) => [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')

const ledgerPlanOf: Partial<Record<PlanName, LedgerPlanName>> = {
  starter: 'contab_basic',
  pro: 'contab_pro',
  business: 'contab_business',
}

let door: Door
let receiver: Receiver
let owned: Owned
let owner: Account
let stranger: Account
let keyA: string
let keyB: string
let subaccountKey: string
let suspended: { account: Account; key: string }
const planned = new Map<PlanName, Account>()
const authority = join(tmpdir(), `asiento-ca-${process.pid}.pem`)

beforeAll(async () => {
  const made = await makeAuthority()
  await writeFile(authority, made.ca)
  receiver = await startReceiver(made)
  door = await openDoor({
    LEDGER_TRIAL_DAYS: '0',
    LOG_LEVEL: 'debug',
    NODE_EXTRA_CA_CERTS: authority,
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
  })
  const person = async (name: string, plan: PlanName): Promise<Account> => {
    const account = await makeAccount(door, `${name}@ejemplo-empresa.es`, plan)
    if (ledgerPlanOf[plan] !== undefined) await setPlans(door, account.email, plan, ledgerPlanOf[plan])
    return account
  }
  for (const plan of planNames) planned.set(plan, await person(`con-${plan}`, plan))
  owner = await person('duena', 'business')
  stranger = await person('ajeno', 'business')
  const account = await person('suspendida', 'business')
  suspended = { account, key: await makeKey(door, account) }
  await admin(door.environment, 'user', 'suspend', account.email)
  keyA = await makeKey(door, owner)
  keyB = await makeKey(door, owner)
  owned = await makeResources(door, owner, keyA, receiver.url)
  const made2 = await withToken(door, owner).send('POST', `/subaccounts/${owned.subaccount_id}/keys`, {
    name: 'Tienda',
    quota: 5,
  })
  subaccountKey = String(made2.body.raw_key)
}, 240_000)

afterAll(async () => {
  await door?.close()
  await receiver?.stop()
  await rm(authority, { force: true })
})

/** The path with the owner's things in it. */
const pathOf = (row: Operation): string =>
  row.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = name === 'rid' && row.id.includes('Invoice') ? owned.recurring_invoice : owned[name]
    if (value === undefined) throw new Error(`${row.id}: no example for the path parameter ${name}`)
    return value
  })

/** Sends no body at all: what is refused here is refused before any body is read. */
const knock = async (row: Operation, headers: HeaderFields) => {
  const response = await fetch(door.baseUrl + pathOf(row), { method: row.method, headers })
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return { status: response.status, code: undefined }
  }
  const bytes = await response.bytes()
  const body = type.includes('json') ? JSON.parse(Buffer.from(bytes).toString()) : {}
  return { status: response.status, code: body?.error_code as string | undefined }
}

const refusal = (code: ErrorCode) => ({ status: errorTable[code].http, code })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe.each(guarded.map((row) => [row.id, row] as const))('%s', (_id, row) => {
  test('refuses nobody, wrong keys, tampered and foreign-signed tokens', async () => {
    const [head = '', payload = '', signature = ''] = owner.token.split('.')
    const tampered = [
      head,
      Buffer.from(`{"sub":"1",${Buffer.from(payload, 'base64url').toString().slice(1)}`).toString('base64url'),
      signature,
    ].join('.')
    expect(await knock(row, {})).toEqual(refusal('AUTH_REQUIRED'))
    const key = { 'x-api-key': `${keyA.slice(0, -1)}${keyA.endsWith('0') ? '1' : '0'}` }
    expect(await knock(row, key)).toEqual(refusal(row.auth === 'jwt' ? 'AUTH_REQUIRED' : 'AUTH_INVALID_KEY'))
    const code = row.auth === 'key' ? 'AUTH_REQUIRED' : 'AUTH_INVALID_TOKEN'
    expect(await knock(row, bearer(tampered))).toEqual(refusal(code))
    expect(await knock(row, bearer('not-a-token'))).toEqual(refusal(code))
  })

  test('refuses a suspended account with any credential', async () => {
    if (row.auth !== 'key') expect(await knock(row, bearer(suspended.account.token))).toEqual(refusal('ACCESS_DENIED'))
    if (row.auth !== 'jwt') expect(await knock(row, { 'x-api-key': suspended.key })).toEqual(refusal('ACCESS_DENIED'))
  })

  if (isGated(row)) {
    test('is closed to every plan below its gate', async () => {
      for (const plan of planNames) {
        const ledgerPlan = ledgerPlanOf[plan]
        const opens =
          (row.gate === undefined || planOpens(plan, row.gate)) &&
          (row.ledger === undefined || (ledgerPlan !== undefined && ledgerPlans[ledgerPlan][row.ledger]))
        if (opens) continue
        const token = planned.get(plan)?.token ?? ''
        expect([plan, await knock(row, bearer(token))]).toEqual([plan, refusal(row.gateError ?? 'PLAN_REQUIRED')])
      }
    })
  }

  if (row.auth !== 'jwt' && isTriedBySubaccount(row)) {
    test('holds a key of a subaccount to what is its own', async () => {
      const headers = { 'x-api-key': subaccountKey }
      if (isClosedToSubaccounts(row)) return expect(await knock(row, headers)).toEqual(refusal('ACCESS_DENIED'))
      const hidden = hiddenCode(row)
      if (hidden !== undefined) return expect(await ask(row, headers)).toEqual(refusal(hidden))
      expect(await knock(row, headers)).toEqual({ status: 200, code: undefined })
    })
  }

  if (parametersOf(row).some((name) => !ownerless.has(name))) {
    test("keeps another user's things apart", async () => {
      expect(await ask(row, bearer(stranger.token))).toEqual(refusal(foreignCode(row)))
    })
  }

  const hidden = hiddenCode(row)
  if (row.auth !== 'jwt' && hidden !== undefined) {
    test('hides what was made with another key of the same account', async () => {
      expect(await ask(row, { 'x-api-key': keyB })).toEqual(refusal(hidden))
    })
  }
})

function isGated(row: Operation): boolean {
  return row.auth !== 'key' && (row.gate !== undefined || row.ledger !== undefined)
}

function isClosedToSubaccounts(row: Operation): boolean {
  return (row.subaccountKeys ?? row.ledger === undefined) === false
}

/**
 * Certificates and webhooks are the account's: its subaccounts use them, and a write there would undo the examples that
 * the other cells need.
 */
function isTriedBySubaccount(row: Operation): boolean {
  return isClosedToSubaccounts(row) || hiddenCode(row) !== undefined || row.method === 'GET'
}

/** How a log or a job of another key is answered; undefined where the path names neither. */
function hiddenCode(row: Operation): ErrorCode | undefined {
  const names = parametersOf(row)
  if (names.includes('log_id')) return 'INVOICE_NOT_FOUND'
  return names.includes('job_id') ? 'JOB_NOT_FOUND' : undefined
}

/** What section 0 of the decisions says about a thing that exists and is another's. */
function foreignCode(row: Operation): ErrorCode {
  const names = parametersOf(row)
  if (names.includes('log_id')) return 'INVOICE_NOT_FOUND'
  if (names.includes('certificate_id')) return 'CERT_NOT_FOUND'
  if (row.path.startsWith('/webhooks/')) return 'WEBHOOK_NOT_FOUND'
  return 'ACCESS_DENIED'
}

/** A call with a body that is right in form. */
async function ask(row: Operation & { id: OperationId }, headers: HeaderFields) {
  const rule = row.body
  const body = bodies[row.id] ?? row.examples?.request
  if (rule?.kind === 'json') {
    if (body === undefined) throw new Error(`${row.id}: no example of a body`)
    const init = { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
    return codeOf(await fetch(door.baseUrl + pathOf(row), { method: row.method, ...init }))
  }
  if (rule === undefined) return knock(row, headers)
  const form = new FormData()
  form.append(rule.files.fields[0] ?? 'file', new Blob([new Uint8Array(await pdf())]), 'a.pdf')
  return codeOf(await fetch(door.baseUrl + pathOf(row), { method: row.method, headers, body: form }))
}

async function codeOf(response: Response) {
  const body = await response.json().catch(() => ({}))
  return { status: response.status, code: body?.error_code as string | undefined }
}

test("things named in a body are as foreign as those in a path, and nobody else's call has changed them", async () => {
  const other = withToken(door, stranger)
  const zip = await other.send('POST', '/extract/batch/download-zip', { log_ids: [Number(owned.log_id)] })
  expect([zip.status, zip.body.error_code]).toEqual([404, 'INVOICE_NOT_FOUND'])
  const byId = await other.send('DELETE', '/keys/revoke-by-id', { id: Number(owned.key_id) })
  expect([byId.status, byId.body.error_code]).toEqual([403, 'ACCESS_DENIED'])
  const byValue = await other.send('DELETE', '/keys/revoke', { key: keyA })
  expect([byValue.status, byValue.body.error_code]).toEqual([403, 'ACCESS_DENIED'])
  const program = withKey(door, keyA)
  const mine = withToken(door, owner)
  const entry = await mine.get(`/contabilidad/entries/${owned.entry_id}`)
  expect(entry.body).toMatchObject({ concept: 'Material', has_attachment: true })
  expect((await program.get(`/history/${owned.log_id}`)).status).toBe(200)
  expect((await mine.get(`/subaccounts/${owned.subaccount_id}`)).body).toMatchObject({ name: 'Cliente' })
  expect((await mine.get(`/webhooks/${owned.id}`)).body).toMatchObject({ active: true })
})

test('no secret that went through the door is in the log', async () => {
  const log = door.output()
  expect(log).toContain('AUTH_INVALID_KEY')
  for (const secret of [owner.token, owner.password, keyA, keyB, subaccountKey]) expect(log).not.toContain(secret)
})
