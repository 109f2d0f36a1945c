import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'

export interface CollectedSpan {
  service: string
  name: string
  traceId: string
}

const attribute = z.object({ key: z.string(), value: z.object({ stringValue: z.string().optional() }) })
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(z.object({ traceId: z.string(), name: z.string() })) })),
    }),
  ),
})

export interface OtlpCollector {
  url: string
  spans: CollectedSpan[]
  close(): Promise<void>
}

/** A small OTLP/HTTP receiver (JSON encoding) that keeps the names of what it is sent. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = []
  const server = createServer(async (incoming, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const body = incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
    if (incoming.url === '/v1/traces') collect(JSON.parse(body.toString()), spans)
    answer.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function collect(body: unknown, spans: CollectedSpan[]): void {
  for (const { resource, scopeSpans } of request.parse(body).resourceSpans) {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
    for (const span of scopeSpans.flatMap((scope) => scope.spans))
      spans.push({ service, name: span.name, traceId: span.traceId })
  }
}
