import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Authority {
  /** PEM of the authority itself; what NODE_EXTRA_CA_CERTS would name. */
  ca: string
  key: string
  cert: string
}

/** An authority of its own and a certificate for localhost. */
export async function makeAuthority(): Promise<Authority> {
  const directory = await mkdtemp(join(tmpdir(), 'asiento-ca-'))
  const at = (name: string) => join(directory, name)
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  try {
    await run('openssl', [
      'req',
      '-x509',
      ...curve,
      '-keyout',
      at('ca.key'),
      '-out',
      at('ca.pem'),
      '-days',
      '2',
      '-subj',
      '/CN=Test CA',
    ])
    await run('openssl', [
      'req',
      ...curve,
      '-keyout',
      at('key.pem'),
      '-out',
      at('request.pem'),
      '-subj',
      '/CN=localhost',
    ])
    await writeFile(at('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n')
    await run('openssl', [
      'x509',
      '-req',
      '-in',
      at('request.pem'),
      '-CA',
      at('ca.pem'),
      '-CAkey',
      at('ca.key'),
      '-CAcreateserial',
      '-out',
      at('cert.pem'),
      '-days',
      '2',
      '-extfile',
      at('names'),
    ])
    const [ca, key, cert] = await Promise.all(
      ['ca.pem', 'key.pem', 'cert.pem'].map((name) => readFile(at(name), 'utf8')),
    )
    return { ca: ca ?? '', key: key ?? '', cert: cert ?? '' }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  at: number
}

export interface Receiver {
  url: string
  /** POSTs in the order in which they came. */
  posts: ReceivedRequest[]
  stop(): Promise<void>
}

/** Answers a POST by its number (from 1): a status, headers with it, or 'hang' for no answer at all. */
export type Script = (
  count: number,
  request: ReceivedRequest,
) => number | 'hang' | { status: number; headers: Record<string, string> }

/** A small HTTPS receiver. OPTIONS is answered with `optionsStatus`. */
export async function startReceiver(
  authority: Authority,
  script: Script = () => 200,
  optionsStatus: number | 'hang' = 204,
): Promise<Receiver> {
  const posts: ReceivedRequest[] = []
  const answer = (response: ServerResponse, wanted: ReturnType<Script>) => {
    if (wanted === 'hang') return
    const { status, headers } = typeof wanted === 'number' ? { status: wanted, headers: {} } : wanted
    response.writeHead(status, headers).end()
  }
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      if (method === 'OPTIONS') return answer(response, optionsStatus)
      const received = { method, path: url, headers, body: Buffer.concat(chunks), at: Date.now() }
      posts.push(received)
      answer(response, script(posts.length, received))
    })
  }
  const server = createServer({ key: authority.key, cert: authority.cert }, handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `https://localhost:${typeof address === 'object' ? address?.port : 0}/hook`,
    posts,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
