/**
 * Records an answer of each operation for the OpenAPI document: `node test/door/record-examples.ts` writes
 * `gateway/data/examples.json` anew. Every call is really made; lists are cut to two rows, long texts shortened, secrets
 * replaced.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Operation } from '@asiento/proto/operation'
import { type OperationId, operations } from '@asiento/proto/operations'
import { makeAuthority, startReceiver } from '../../services/notifications/test/receiver.ts'
import { makeAccount, makeKey, openDoor, pdf, setPlans, signer, withKey, withToken } from './door.ts'
import { requests } from './requests.ts'
import { makeResources, type Owned } from './resources.ts'

type Row = Operation & { id: OperationId }

const target = new URL('../../gateway/data/examples.json', import.meta.url)
const facturae = new URL('../../services/facturae/test/golden/minimal.xml', import.meta.url)
const rowsMax = 2
const textMax = 300

const isTried = (row: Row): boolean => row.auth !== 'none' && row.response.kind.startsWith('json')

const authority = join(tmpdir(), `asiento-examples-ca-${process.pid}.pem`)
const made = await makeAuthority()
await writeFile(authority, made.ca)
const receiver = await startReceiver(made)
const door = await openDoor({
  NODE_EXTRA_CA_CERTS: authority,
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
  RATE_LIMIT_PER_MINUTE: '10000',
})
const owner = await makeAccount(door, 'ana@ejemplo-empresa.es')
await setPlans(door, owner.email, 'business', 'contab_business')
const key = await makeKey(door, owner)
const owned: Owned = { ...(await makeResources(door, owner, key, receiver.url)), webhook_url: receiver.url }
owned.other_key = await makeKey(door, owner)
const person = withToken(door, owner)
const program = withKey(door, key)
owned.other_key_id = String((await person.send('POST', '/keys', { name: 'Vieja', plan: 'pro' })).body.id)
owned.delivery_id = String((await person.send('POST', `/webhooks/${owned.id}/test`, {})).body.id)
owned.copy_id = String((await program.upload('/extract', [{ name: 'copia.pdf', bytes: await pdf() }])).body._log_id)

async function call(row: Row) {
  const path = row.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    String(name === 'rid' && row.id.includes('Invoice') ? owned.recurring_invoice : owned[name]),
  )
  const isProgram = row.auth === 'key' || (row.auth === 'key_or_jwt' && /log_id|job_id|history|extract/.test(row.path))
  if (row.id.endsWith('Duplicate'))
    return program.raw(row.method, path.replace(String(owned.log_id), String(owned.copy_id)))
  if (row.id === 'createCertificate' || row.id === 'saveUserCertificate') return certificate(path)
  if (row.path === '/import/xml' || row.path === '/sign' || row.path === '/validate') {
    const headers = { 'content-type': 'application/xml' }
    return program.raw('POST', path, { body: new Uint8Array(await readFile(facturae)), headers })
  }
  if (row.id === 'importStatement') return person.upload(path, [{ name: 'extracto.csv', bytes: statement }])
  if (row.id === 'convertProposal') {
    await person.send('PATCH', `/contabilidad/proposals/${owned.pid}`, { status: 'accepted' })
  }
  if (row.id === 'cancelJob') {
    const files = Array.from({ length: 20 }, () => pdf())
    const bytes = await Promise.all(files)
    const job = await program.upload(
      '/batch/job',
      bytes.map((file) => ({ name: 'a.pdf', bytes: file, field: 'files' })),
    )
    return program.raw('DELETE', `/batch/job/${job.body.job_id}`)
  }
  const api = isProgram ? withKey(door, key) : withToken(door, owner)
  const body = requests[row.id]?.(owned) ?? row.examples?.request
  if (row.method === 'GET') return api.get(`${path}?year=2026`)
  if (body !== undefined) return api.send(row.method, path, body)
  if (row.body !== undefined && 'files' in row.body)
    return api.upload(path, [{ name: 'factura.pdf', bytes: await pdf() }])
  return api.raw(row.method, path)
}

const statement = Buffer.from('Fecha;Concepto;Importe;Saldo\n02/03/2026;Recibo Material;-121,00;879,00\n')

async function certificate(path: string) {
  const form = new FormData()
  form.append('name', 'Ana')
  form.append('password', 'asiento')
  form.append('file', new Blob([new Uint8Array(await signer())]), 'a.p12')
  return person.raw('POST', `${path}?password=asiento`, { body: form })
}

const recorded: Record<string, { request?: unknown; response?: unknown }> = {}
/** What ends a session or takes other things away comes last. */
const order = ({ id, method }: Row): number => {
  if (id === 'logout') return 4
  if (id === 'deleteSubaccount') return 3
  return { GET: 1, DELETE: 2 }[method as string] ?? 0
}
const all = Object.values(operations) as readonly Row[]
const rows = all.filter(isTried)
try {
  for (const row of rows.toSorted((a, b) => order(a) - order(b))) {
    const answer = await call(row)
    if (answer.status !== row.response.status) {
      console.warn(`${row.id}: ${answer.status} ${answer.bytes.toString().slice(0, 200)}`)
      continue
    }
    const request = requests[row.id]?.(owned)
    recorded[row.id] = {
      ...(request === undefined ? {} : { request: shorten(request) }),
      response: shorten(answer.body),
    }
  }
  for (const { id } of all.filter(({ response }) => response.kind === 'file')) {
    const request = requests[id]?.(owned)
    if (request !== undefined) recorded[id] = { request: shorten(request) }
  }
  const sorted = Object.fromEntries(Object.entries(recorded).sort(([a], [b]) => a.localeCompare(b)))
  await writeFile(target, `${JSON.stringify(sorted, null, 1)}\n`)
} finally {
  await door.close()
  await receiver.stop()
  await rm(authority, { force: true })
}

function shorten(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    const isList = value.every((item) => item !== null && typeof item === 'object')
    return (isList ? value.slice(0, rowsMax) : value).map((item) => shorten(item))
  }
  if (typeof value === 'string') {
    if (/^(raw_key|secret|access_token|token|key)$/.test(name)) return '…'
    return value.length > textMax
      ? `${value.slice(0, textMax)}…`
      : value.replaceAll(door.baseUrl, 'http://localhost:8080')
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner, key)]))
}
