import { execFileSync, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fixtureKey } from '../certificates/fixtures.ts'

export const opensslAvailable = (): boolean => spawnSync('openssl', ['version']).status === 0

export interface TestAuthority {
  url: string
  rootPem: string
  /** What to do with a reply before it is sent; as it is when absent. */
  tamper: ((reply: Buffer) => Buffer) | null
  close(): Promise<void>
}

/** A time-stamping authority of our own: `openssl ts` behind HTTP, so the real protocol and a second implementation of it. */
export async function startAuthority(): Promise<TestAuthority> {
  const folder = mkdtempSync(join(tmpdir(), 'tsa-'))
  const at = (name: string): string => join(folder, name)
  const key = await fixtureKey('stamp.p12')
  const [leaf, root] = key.chain.map((der) => new X509Certificate(der).toString())
  if (leaf === undefined || root === undefined) throw new Error('no chain')
  writeFileSync(at('leaf.pem'), leaf)
  writeFileSync(at('root.pem'), root)
  writeFileSync(at('key.pem'), key.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  writeFileSync(at('serial'), '01\n')
  writeFileSync(
    at('ts.cnf'),
    `[tsa]\ndefault_tsa = t\n[t]\nserial = ${at('serial')}\nsigner_cert = ${at('leaf.pem')}\ncerts = ${at('root.pem')}\n` +
      `signer_key = ${at('key.pem')}\nsigner_digest = sha256\ndefault_policy = 1.2.3.4.1\ndigests = sha256, sha512\n` +
      'accuracy = secs:1\nordering = yes\ness_cert_id_chain = no\ness_cert_id_alg = sha256\n',
  )
  const authority: TestAuthority = { url: '', rootPem: root, tamper: null, close: async () => {} }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    writeFileSync(at('query'), Buffer.concat(chunks))
    execFileSync('openssl', ['ts', '-reply', '-config', at('ts.cnf'), '-queryfile', at('query'), '-out', at('reply')], {
      stdio: 'ignore',
    })
    const reply = readFileSync(at('reply'))
    response.setHeader('content-type', 'application/timestamp-reply')
    // The judges hold up this process for seconds: a connection kept alive would be found closed afterwards.
    response.setHeader('connection', 'close')
    response.end(authority.tamper === null ? reply : authority.tamper(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  authority.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  authority.close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true })
  }
  return authority
}
