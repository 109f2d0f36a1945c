import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = new URL('../../', import.meta.url).pathname

export interface Demo {
  base_url: string
  email: string
  password: string
  api_key: string
}

export interface StandaloneProcess {
  demo: Demo
  dataDirectory: string
  output: () => string
  kill(signal: NodeJS.Signals): Promise<number | null>
}

/** A data folder for one test, deleted at its end. */
export async function temporaryDataFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'asiento-e2e-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** The environment of a person without any configuration, with room for tests that make many calls. */
export const testEnvironment = (dataDirectory: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  DATA_DIR: dataDirectory,
  PORT: '0',
  RATE_LIMIT_PER_MINUTE: '100000',
  RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '100000',
})

/** Starts `npm start`'s process; resolves when it says that it is ready, rejects with what it printed when it ends. */
export async function startStandaloneProcess(
  dataDirectory: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<StandaloneProcess> {
  const child = launch({ ...testEnvironment(dataDirectory), ...environment })
  await child.ready
  const demo = JSON.parse(await readFile(join(dataDirectory, 'demo.json'), 'utf8'))
  return { demo, dataDirectory, output: child.output, kill: (signal) => end(child.process, signal) }
}

/** Runs a start that is expected to fail; answers its status and what it printed for the person. */
export async function failingStart(environment: NodeJS.ProcessEnv): Promise<{ status: number | null; errors: string }> {
  const child = launch(environment)
  const status = await new Promise<number | null>((resolve) => {
    child.process.once('exit', resolve)
    child.ready.then(
      () => end(child.process, 'SIGKILL'),
      () => {},
    )
  })
  return { status, errors: child.errors() }
}

function launch(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, ['services/standalone/src/main.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('is ready after')) resolve()
    })
    child.once('exit', (status) => reject(new Error(`ended with ${status}: ${output}\n${errors}`)))
  })
  ready.catch(() => {})
  return { process: child, ready, output: () => output + errors, errors: () => errors }
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => {
    child.once('exit', (status) => resolve(status))
    child.kill(signal)
  })
}
