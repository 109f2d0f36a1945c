import { createServer } from 'node:net'

// Below the ports that systems give to outgoing connections: none of those can take one between now and its use.
const first = 12_000
const last = 30_000
const given = new Set<number>()

/** A loopback port for a server that starts later: nobody listens on it, and this process gives it out once. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * (last - first))
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
