import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A running browser that prints pages; `close` ends it. */
export interface Printer {
  pdf: (html: string) => Promise<Uint8Array>
  close: () => Promise<void>
}

/** Starts the system's chromium and speaks its debugging protocol. Paper sizes come from `@page` of the document. */
export async function openPrinter(executable = 'chromium'): Promise<Printer> {
  const profile = await mkdtemp(join(tmpdir(), 'layouts-'))
  const browser = spawn(
    executable,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const socket = new WebSocket(await debuggerOf(browser))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  let last = 0
  const waiting = new Map<
    number,
    { resolve: (value: Record<string, unknown>) => void; reject: (error: Error) => void }
  >()
  socket.addEventListener('message', (event) => {
    const message = JSON.parse(String(event.data))
    const waiter = waiting.get(message.id)
    if (waiter === undefined) return
    waiting.delete(message.id)
    if (message.error !== undefined) waiter.reject(new Error(message.error.message))
    else waiter.resolve(message.result)
  })
  const send = (method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      last += 1
      waiting.set(last, { resolve, reject })
      socket.send(JSON.stringify({ id: last, method, params, ...(sessionId === undefined ? {} : { sessionId }) }))
    })
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
  const page = (method: string, params: object = {}) => send(method, params, String(sessionId))
  await page('Page.enable')
  const { frameTree } = await page('Page.getFrameTree')
  const frameId = (frameTree as { frame: { id: string } }).frame.id
  return {
    pdf: async (html) => {
      await page('Page.setDocumentContent', { frameId, html })
      const { data } = await page('Page.printToPDF', { preferCSSPageSize: true, printBackground: true })
      return Buffer.from(String(data), 'base64')
    },
    close: async () => {
      socket.close()
      const ended = new Promise((resolve) => browser.once('exit', resolve))
      browser.kill()
      await ended
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function debuggerOf(browser: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    browser.once('exit', () => reject(new Error(`the browser ended: ${text}`)))
    browser.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /ws:\/\/\S+/.exec(text)?.[0]
      if (address !== undefined) resolve(address)
    })
  })
}
