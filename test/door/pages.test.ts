import { execFileSync } from 'node:child_process'
import { Validator } from '@seriousme/openapi-schema-validator'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { client } from '../e2e/api.ts'
import { mailsTo } from '../provision/accounts.ts'
import { type Door, makeAccount, openDoor } from './door.ts'

const browserPath = findBrowser()
if (browserPath === undefined) console.warn('skipped: pages in a real browser (2 tests), because chromium is missing')

/** Milliseconds. A page of a hundred operations takes a busy machine a while to draw. */
const patience = { timeout: 90_000 }
let door: Door
let browser: Browser | undefined

beforeAll(async () => {
  door = await openDoor()
  if (browserPath !== undefined) {
    // No user namespaces for root in a container: its sandbox would keep the browser from starting.
    browser = await chromium.launch({ executablePath: browserPath, chromiumSandbox: false })
  }
})
afterAll(async () => {
  await browser?.close()
  await door?.close()
})

function findBrowser(): string | undefined {
  try {
    return execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

async function openPage(url: string, locale: string) {
  if (browser === undefined) throw new Error('no browser')
  const page = await browser.newPage({ locale })
  page.setDefaultTimeout(patience.timeout)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.goto(url)
  return { page, complaints }
}

interface OpenApi {
  [section: string]: unknown
  paths: Record<string, object>
}

async function openApi(): Promise<OpenApi> {
  return (await fetch(`${door.baseUrl}/openapi.json`)).json() as Promise<OpenApi>
}

test('/openapi.json is valid OpenAPI 3.1 and holds GraphQL too', async () => {
  const document = await openApi()
  const validator = new Validator()
  expect(await validator.validate(document)).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
  expect(Object.keys(document.paths)).toContain('/graphql')
})

test.runIf(browserPath !== undefined)(
  'the link of the mail leads to a page that sets a new password once',
  async () => {
    const account = await makeAccount(door, 'olvido@ejemplo-empresa.es')
    const api = client(door.baseUrl)
    await api.send('POST', '/auth/forgot-password', { email: account.email })
    const link = await vi.waitFor(async () => {
      const texts = (await mailsTo(door.dataDirectory, account.email)).map(({ text }) => text)
      return (
        texts.map((text) => /https?:\S+\/reset-password\?\S+/.exec(text)?.[0]).find((found) => found !== undefined) ??
        Promise.reject(new Error('no mail yet'))
      )
    }, patience)
    const attempt = async (locale: string, passwords: [string, string]) => {
      const { page, complaints } = await openPage(link, locale)
      await page.fill('[name=password]', passwords[0])
      await page.fill('[name=again]', passwords[1])
      await page.click('button')
      await page.waitForFunction(() => document.querySelector('[role=status]')?.textContent !== '')
      const said = await page.textContent('[role=status]')
      expect(page.url()).not.toContain('token')
      await page.close()
      return { said, complaints }
    }
    const password = 'una frase bastante nueva'
    expect(await attempt('es-ES', [password, `${password}!`])).toEqual({
      said: 'Las dos contraseñas no coinciden.',
      complaints: [],
    })
    expect(await attempt('es-ES', [password, password])).toEqual({
      said: 'Tu contraseña ha cambiado. Ya puedes entrar con ella.',
      complaints: [],
    })
    const again = await attempt('en-GB', [password, password])
    expect(again.said).toBe('This link is wrong, too old or was used before. Ask for a new one.')
    expect((await api.send('POST', '/auth/login', { email: account.email, password })).status).toBe(200)
    expect((await api.send('POST', '/auth/login', account)).status).toBe(401)
  },
)

test.runIf(browserPath !== undefined)('/docs shows every operation', async () => {
  const { page, complaints } = await openPage(`${door.baseUrl}/docs`, 'es-ES')
  await page.waitForSelector('.opblock')
  const operations = Object.values((await openApi()).paths).flatMap((methods) => Object.keys(methods))
  await vi.waitFor(async () => expect(await page.locator('.opblock').count()).toBe(operations.length), patience)
  expect(complaints).toEqual([])
})
