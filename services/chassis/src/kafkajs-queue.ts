import { createRequire } from 'node:module'

interface RequestQueue {
  pending: readonly unknown[]
  scheduleCheckPendingRequests(): void
}

const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as { prototype: RequestQueue }
const schedule = prototype.scheduleCheckPendingRequests

/**
 * Imported for its effect: kafkajs 2.2.4 looks for waiting requests a thousand times a second on every connection, also when
 * none waits (tulios/kafkajs#1556, #1704). A request that has to wait asks to be looked for when it is queued, so nothing
 * is missed when an empty queue is left alone.
 */
prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
  if (this.pending.length > 0) schedule.call(this)
}
