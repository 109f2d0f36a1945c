import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@asiento/chassis/free-port'

const run = promisify(execFile)
const artifact = 'com.icegreen:greenmail-standalone:2.1.8'
const cache = new URL('../../../node_modules/.cache/greenmail/', import.meta.url).pathname
const jar = join(cache, 'greenmail-standalone-2.1.8.jar')

export interface ReceivedMail {
  subject: string
  /** The message as it arrived, headers and all. */
  mimeMessage: string
}

export interface MailServer {
  /** An SMTP server that takes mail for anybody. */
  url: string
  received(address: string): Promise<ReceivedMail[]>
  stop(): Promise<void>
}

/** True where a real mail server can run: Java, and Maven to fetch it. */
export const mailServerIsPossible = (): Promise<boolean> =>
  Promise.all([run('java', ['-version']), run('mvn', ['-v'])]).then(
    () => true,
    () => false,
  )

/** Starts GreenMail on loopback. */
export async function startMailServer(): Promise<MailServer> {
  await fetchJar()
  const [smtp, api] = [await freePort(), await freePort()]
  const server = spawn(
    'java',
    [
      '-Xmx128m',
      '-Dgreenmail.smtp.hostname=127.0.0.1',
      `-Dgreenmail.smtp.port=${smtp}`,
      '-Dgreenmail.auth.disabled',
      '-Dgreenmail.users.login=email',
      '-Dgreenmail.api.hostname=127.0.0.1',
      `-Dgreenmail.api.port=${api}`,
      '-jar',
      jar,
    ],
    { stdio: 'ignore' },
  )
  const base = `http://127.0.0.1:${api}/api`
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  await untilReady(`${base}/service/readiness`, ended)
  return {
    url: `smtp://127.0.0.1:${smtp}`,
    received: async (address) => {
      const response = await fetch(`${base}/user/${encodeURIComponent(address)}/messages/INBOX`)
      return response.ok ? ((await response.json()) as ReceivedMail[]) : []
    },
    stop: async () => {
      server.kill('SIGKILL')
      await ended
    },
  }
}

async function fetchJar(): Promise<void> {
  if (existsSync(jar)) return
  await mkdir(cache, { recursive: true })
  const draft = join(cache, `draft-${process.pid}`)
  await run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${draft}`])
  await rename(join(draft, 'greenmail-standalone-2.1.8.jar'), jar)
  await rm(draft, { recursive: true, force: true })
}

async function untilReady(url: string, ended: Promise<void>): Promise<void> {
  let over = false
  ended.then(() => {
    over = true
  })
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline && !over) {
    const ready = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the mail server did not start')
}
