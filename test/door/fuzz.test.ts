import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Account, admin } from '../provision/accounts.ts'
import { type Door, makeAccount, openDoor } from './door.ts'

const run = promisify(execFile)
const version = '4.32.5'
const cache = new URL(`../../node_modules/.cache/schemathesis-${version}/`, import.meta.url).pathname
const program = join(cache, 'bin', 'schemathesis')
const full = process.env.TEST_FULL !== undefined && process.env.TEST_FULL !== ''
// About two minutes on two free cores; the box has room for busy ones.
const timeBoxMs = full ? 3_600_000 : 600_000

const isPossible = await install()
if (!isPossible)
  console.warn('skipped: fuzzing by /openapi.json (1 test), because Python or its package index is missing')

let door: Door
let account: Account
let provider: Server

beforeAll(async () => {
  if (!isPossible) return
  provider = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(outsideAnswer(request.url ?? '')))
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const outside = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  door = await openDoor({
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_API_BASE: outside,
    GOOGLE_ISSUER: outside,
    GOOGLE_CLIENT_ID: 'fuzz',
  })
  account = await makeAccount(door, 'fuzz@ejemplo-empresa.es')
  await admin(door.environment, 'user', 'set-ledger-plan', account.email, 'contab_business')
})
afterAll(async () => {
  await door?.close()
  provider?.close()
})

/** What the payment provider and the OpenID issuer say; the issuer has no keys, so that no token is one of its own. */
function outsideAnswer(path: string): object {
  if (path.includes('/.well-known/')) {
    const outside = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    return { issuer: outside, jwks_uri: `${outside}/keys` }
  }
  if (path === '/keys') return { keys: [] }
  return { id: 'cs_1', object: 'checkout.session', url: 'https://pay.example.com/cs_1' }
}

async function install(): Promise<boolean> {
  if (existsSync(program)) return true
  try {
    await mkdir(cache, { recursive: true })
    await run('python3', ['-m', 'venv', cache], { timeout: 60_000 })
    await run(join(cache, 'bin', 'pip'), ['install', '-q', `schemathesis==${version}`], { timeout: 120_000 })
    return existsSync(program)
  } catch {
    return false
  }
}

/**
 * Every check is on. What a schema cannot say is refused with a code of the table (400, 409), sums that do not hold and
 * dates that do not exist with 422: such a refusal of data that fits the schema is no fault here, any other status is.
 */
const config = `[checks.positive_data_acceptance]
expected-statuses = ["2xx", 400, 401, 403, 404, 409, 413, 422, 429]
`

test.runIf(isPossible)(
  'no 5xx, no undocumented status and no schema violation in a fuzz of the whole OpenAPI document',
  async () => {
    const file = join(door.dataDirectory, 'schemathesis.toml')
    await writeFile(file, config)
    const args = [
      '--config-file',
      file,
      'run',
      `${door.baseUrl}/openapi.json`,
      '--header',
      `Authorization: Bearer ${account.token}`,
      '--phases',
      full ? 'examples,coverage,fuzzing,stateful' : 'examples,coverage,fuzzing',
      '--max-examples',
      full ? '200' : '3',
      '--continue-on-failure',
      ...(full ? [] : ['--generation-deterministic', '--seed', '1']),
      '--request-timeout',
      '30',
      '--no-color',
      // It ends the session that everything else is called with; the streams last as long as their jobs.
      '--exclude-path-regex',
      '/auth/logout|/events$',
    ]
    const result = await run(program, args, {
      cwd: door.dataDirectory,
      timeout: timeBoxMs,
      maxBuffer: 256 * 1024 ** 2,
    }).then(
      () => 'passed',
      (error) => `${String(error.stdout).slice(-20_000)}${error.killed === true ? '\nout of time' : ''}`,
    )
    expect(result).toBe('passed')
  },
  timeBoxMs + 30_000,
)
