import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { freePort } from '@asiento/chassis/free-port'

const run = promisify(execFile)

export interface RedisServer {
  url: string
  stop(): Promise<void>
  /** Starts it again, empty, on the same address. */
  restart(): Promise<void>
}

/** True where a redis-server is installed. */
export const redisIsPossible = (): Promise<boolean> =>
  run('redis-server', ['--version']).then(
    () => true,
    () => false,
  )

/** Starts a real Redis on loopback that keeps nothing on disk. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort()
  let server = await launch(port)
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => end(server),
    restart: async () => {
      await end(server)
      server = await launch(port)
    },
  }
}

function launch(port: number): Promise<ChildProcess> {
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  return new Promise((resolve, reject) => {
    let output = ''
    server.stdout?.on('data', (chunk) => {
      output += chunk
      if (output.includes('Ready to accept connections')) resolve(server)
    })
    server.once('error', reject)
    server.once('exit', (status) => reject(new Error(`Redis ended with ${status}: ${output}`)))
  })
}

function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    server.once('exit', () => resolve())
    server.kill('SIGTERM')
  })
}
