import type { Log } from './log.ts'

/** What a process opened, closed in reverse order. */
export interface Lifecycle {
  /** Remembers how to close something that has been opened. */
  onClose(name: string, close: () => Promise<void>): void
  /** Closes everything once, last opened first; a failure to close is logged and does not stop the rest. */
  close(): Promise<void>
  readonly closing: boolean
}

export function createLifecycle(log: Log, options: { closeTimeoutMs: number } = { closeTimeoutMs: 20_000 }): Lifecycle {
  const resources: { name: string; close: () => Promise<void> }[] = []
  let closed: Promise<void> | undefined
  const closeAll = async () => {
    for (const resource of resources.reverse()) {
      try {
        await withTimeout(resource.close(), options.closeTimeoutMs)
      } catch (error) {
        log.error({ err: error, resource: resource.name }, 'did not close cleanly')
      }
    }
  }
  return {
    onClose: (name, close) => {
      resources.push({ name, close })
    },
    close: () => {
      closed ??= closeAll()
      return closed
    },
    get closing() {
      return closed !== undefined
    },
  }
}

/** Closes on SIGTERM and SIGINT, then leaves with status 0; a second signal leaves at once. */
export function closeOnSignals(lifecycle: Lifecycle, log: Log): void {
  const stop = (signal: NodeJS.Signals) => {
    if (lifecycle.closing) process.exit(1)
    log.info({ signal }, 'stopping')
    lifecycle.close().then(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** Rejects when `work` has not settled within the time. */
export function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not finished within ${timeoutMs} ms`)), timeoutMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
