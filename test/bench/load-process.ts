/** The process behind {@link file://./load.ts}: reads its order from the first argument, prints what it measured. */
import { connect, type Socket } from 'node:net'
import { z } from 'zod'

const order = z
  .object({
    url: z.url(),
    seconds: z.number(),
    connections: z.number().int(),
    headers: z.record(z.string(), z.string()),
    body: z.string().nullable(),
  })
  .parse(JSON.parse(process.argv[2] ?? ''))

const latenciesMs: number[] = []
const until = performance.now() + order.seconds * 1_000
await Promise.all(Array.from({ length: order.connections }, () => keepAsking(requestOf(order))))
latenciesMs.sort((a, b) => a - b)
const percentile = (share: number) => latenciesMs[Math.floor(share * (latenciesMs.length - 1))]
process.stdout.write(
  JSON.stringify({ perSecond: latenciesMs.length / order.seconds, p50Ms: percentile(0.5), p99Ms: percentile(0.99) }),
)

function requestOf({ url, headers, body }: typeof order): Buffer {
  const { host, pathname, search } = new URL(url)
  const content = body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries({ host, ...headers, ...content }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(
    `${body === null ? 'GET' : 'POST'} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`,
  )
}

/** One kept connection with one request at a time. */
function keepAsking(request: Buffer): Promise<void> {
  const { hostname, port } = new URL(order.url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    let sentAt = 0
    const ask = () => {
      if (performance.now() >= until) return void socket.end(resolve)
      sentAt = performance.now()
      socket.write(request)
    }
    socket.once('connect', ask)
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the server closed a connection')))
    readAnswers(socket, (status) => {
      if (!/^2\d\d$/.test(status)) return void socket.destroy(new Error(`${order.url} answered ${status}`))
      latenciesMs.push(performance.now() - sentAt)
      ask()
    })
  })
}

/** Only as much of HTTP as tells where an answer ends: its Content-Length. */
function readAnswers(socket: Socket, answered: (status: string) => void): void {
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk
    const headEnd = received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = received.slice(0, headEnd)
    const length = /\r\ncontent-length: (?<bytes>\d+)/i.exec(head)?.groups?.bytes
    if (length === undefined) return void socket.destroy(new Error('an answer without a Content-Length'))
    if (received.length < headEnd + 4 + Number(length)) return
    received = ''
    answered(head.slice(9, 12))
  })
}
