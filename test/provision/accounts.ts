import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import PostalMime from 'postal-mime'
import { client } from '../e2e/api.ts'

const run = promisify(execFile)
const root = new URL('../../', import.meta.url).pathname

export interface Account {
  email: string
  password: string
  token: string
}

export interface House {
  baseUrl: string
  dataDirectory: string
  /** For the operator's commands. */
  environment: NodeJS.ProcessEnv
}

/** Mails that were written for an address, oldest first; without an SMTP server each is a file. */
export async function mailsTo(dataDirectory: string, address: string): Promise<{ subject: string; text: string }[]> {
  const folder = join(dataDirectory, 'mail')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  const mails = await Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))))
  return mails
    .filter((mail) => mail.to?.some((to) => to.address === address) === true)
    .map((mail) => ({ subject: mail.subject ?? '', text: mail.text ?? '' }))
}

/** Runs the operator's tool. */
export async function admin(environment: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['services/standalone/src/admin.ts', ...args], {
    cwd: root,
    env: environment,
  })
  return stdout
}

/** Registers, follows the link of the mail and logs in, as a person would; an operator then sets the plan. */
export async function makeAccount(house: House, email: string, plan = 'business'): Promise<Account> {
  const password = 'correct horse battery'
  const api = client(house.baseUrl)
  const registered = await api.send('POST', '/auth/register', { email, password, full_name: 'Prueba' })
  if (registered.status !== 200) throw new Error(`register: ${registered.status} ${registered.bytes}`)
  const token = await verificationToken(house, email)
  const verified = await api.get(`/auth/verify?token=${token}`)
  if (verified.status !== 200) throw new Error(`verify: ${verified.status} ${verified.bytes}`)
  if (plan !== 'free') await admin(house.environment, 'user', 'set-plan', email, plan)
  const login = await api.send('POST', '/auth/login', { email, password })
  if (login.status !== 200) throw new Error(`login: ${login.status} ${login.bytes}`)
  return { email, password, token: String(login.body.access_token) }
}

async function verificationToken({ dataDirectory }: House, email: string): Promise<string> {
  for (const started = Date.now(); Date.now() - started < 30_000; await pause(100)) {
    const [first] = await mailsTo(dataDirectory, email)
    const token = /token=([\w.~-]+)/.exec(first?.text ?? '')?.[1]
    if (token !== undefined) return token
  }
  throw new Error(`no mail to ${email} yet`)
}
