import { threadId } from 'node:worker_threads'
import { task } from '../../src/worker-task.ts'

export interface Behave {
  how: 'answer' | 'spin' | 'eat'
  /** How long an answer takes. */
  forMs?: number
}

/** A task that does what a test asks for. */
export default task(async ({ how, forMs = 0 }: Behave): Promise<number> => {
  if (how === 'eat') {
    const eaten: unknown[] = []
    for (;;) eaten.push(Array.from({ length: 100_000 }, (_, index) => ({ index })))
  }
  const until = how === 'spin' ? Number.POSITIVE_INFINITY : performance.now() + forMs
  while (performance.now() < until);
  return threadId
})
