import { parentPort, workerData } from 'node:worker_threads'
import type { OpenedKey } from '../src/certificates/open-p12.ts'
import { signFacturae } from '../src/signing/sign.ts'
import { sampleInvoice } from '../test/signing/sample-invoice.ts'

/** Signs for as long as told, after warming up, and posts the signatures a second. */
const { key, forMs } = workerData as { key: OpenedKey; forMs: number }
const invoice = sampleInvoice({ lines: 25 })
const options = { signedAt: new Date('2026-06-01T10:00:00Z'), known: 'canonical' } as const
for (let i = 0; i < 300; i += 1) signFacturae(invoice, key, options)
const started = performance.now()
let done = 0
while (performance.now() - started < forMs) {
  for (let i = 0; i < 10; i += 1) signFacturae(invoice, key, options)
  done += 10
}
parentPort?.postMessage((done * 1000) / (performance.now() - started))
