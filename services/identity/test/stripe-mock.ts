import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@asiento/chassis/free-port'

const run = promisify(execFile)
const version = 'v0.203.0'
const cache = new URL('../../../node_modules/.cache/stripe-mock/', import.meta.url).pathname
const folder = join(cache, version)

/**
 * The payment provider's own test server, built once into a cache folder. It checks every request against the provider's
 * OpenAPI document. Null where Go, or the way to its modules, is missing.
 */
export async function startStripeMock(): Promise<{ url: string; stop(): void } | null> {
  const program = await build()
  if (program === null) return null
  const port = await freePort()
  const server = spawn(program, ['-http-addr', `127.0.0.1:${port}`], { stdio: ['ignore', 'pipe', 'pipe'] })
  await untilListening(server)
  return { url: `http://127.0.0.1:${port}`, stop: () => void server.kill() }
}

async function build(): Promise<string | null> {
  const program = join(folder, 'stripe-mock')
  if (existsSync(program)) return program
  await mkdir(folder, { recursive: true })
  const env = { ...process.env, GOBIN: folder }
  try {
    await run('go', ['install', `github.com/stripe/stripe-mock@${version}`], { env, timeout: 100_000 })
    return program
  } catch {
    return null
  }
}

function untilListening(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const hear = (chunk: Buffer) => {
      output += chunk
      if (output.includes('Listening for HTTP')) resolve()
    }
    server.stdout?.on('data', hear)
    server.stderr?.on('data', hear)
    server.once('error', reject)
    server.once('exit', (status) => reject(new Error(`stripe-mock ended with ${status}: ${output}`)))
  })
}
