import { task } from '@asiento/chassis/worker-task'
import { extractInvoice } from '../../src/pipeline/extract-invoice.ts'

interface Given {
  bytes: Uint8Array
  filename: string
  context: { today: string }
}

/** The pipeline, but for files whose names ask for a thread that never comes back, or that eats its memory. */
export default task(async ({ bytes, filename, context }: Given) => {
  while (filename === 'spin.pdf');
  const eaten: unknown[] = []
  while (filename === 'eat.pdf') eaten.push(Array.from({ length: 500 }, (_, index) => ({ index })))
  return extractInvoice(bytes, { filename, context })
})
