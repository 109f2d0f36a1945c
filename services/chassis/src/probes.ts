import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectDefaultMetrics, Gauge } from 'prom-client'
import { metrics } from './telemetry.ts'

export interface Probes {
  port: number
  /** From now on /readyz answers 200. */
  ready(): void
  /** From now on /readyz answers 503, so that no new traffic comes. */
  notReady(): void
  close(): Promise<void>
}

/**
 * /livez (the event loop turns: never a dependency), /readyz (this process's own state), /metrics (Prometheus), on a port
 * of their own, away from public traffic.
 */
export async function serveProbes(options: { host: string; port: number }): Promise<Probes> {
  let isReady = false
  observeProcess()
  const server = createServer((request, response) => {
    if (request.url === '/livez') return response.end('ok')
    if (request.url === '/readyz') {
      response.statusCode = isReady ? 200 : 503
      return response.end(isReady ? 'ready' : 'not ready')
    }
    if (request.url === '/metrics') {
      metrics.metrics().then(
        (text) => response.setHeader('content-type', metrics.contentType).end(text),
        () => response.writeHead(500).end(),
      )
      return
    }
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    ready: () => {
      isReady = true
    },
    notReady: () => {
      isReady = false
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

let observed = false

function observeProcess(): void {
  if (observed) return
  observed = true
  collectDefaultMetrics({ register: metrics })
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  new Gauge({
    name: 'asiento_event_loop_delay_p99_seconds',
    help: 'Event loop delay, 99th percentile since the last scrape',
    registers: [metrics],
    collect() {
      this.set(delay.percentile(99) / 1e9)
      delay.reset()
    },
  })
}
