import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { Registry } from 'prom-client'

/** Metrics of the process; served on the probe port at /metrics. */
export const metrics = new Registry()

const tracer = trace.getTracer('asiento')

export interface SpanOptions {
  kind?: keyof typeof SpanKind
  attributes?: Attributes
  /** The carrier of a remote parent, as {@link traceHeaders} made it. */
  parent?: Record<string, string> | undefined
}

/**
 * Runs `work` inside a span; a failure is recorded on it and thrown on. A trace that is not sampled costs one span, its
 * first: what is below belongs to that one, because a child is sampled where its parent is.
 */
export async function withSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const current = trace.getActiveSpan()
  if (options.parent === undefined && current !== undefined && !isSampled(current)) return work(current)
  const parent = options.parent === undefined ? context.active() : propagation.extract(context.active(), options.parent)
  const settings = { kind: SpanKind[options.kind ?? 'INTERNAL'], attributes: options.attributes ?? {} }
  return tracer.startActiveSpan(name, settings, parent, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' })
      throw error
    } finally {
      span.end()
    }
  })
}

const isSampled = (span: Span): boolean => (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0

/** The current trace as headers (`traceparent`), for calls, messages and rows that go on elsewhere. */
export function traceHeaders(): Record<string, string> {
  const carrier: Record<string, string> = {}
  propagation.inject(context.active(), carrier)
  return carrier
}

/**
 * Starts trace export when an OTLP endpoint is configured; without one, spans cost nothing and nothing is loaded.
 *
 * @returns a function that flushes and stops
 */
export async function startTelemetry(options: {
  service: string
  endpoint: string | undefined
}): Promise<() => Promise<void>> {
  if (options.endpoint === undefined) return async () => {}
  const { NodeSDK } = await import('@opentelemetry/sdk-node')
  const sdk = new NodeSDK({ serviceName: options.service, instrumentations: [] })
  sdk.start()
  return () => sdk.shutdown()
}
