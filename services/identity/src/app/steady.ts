const gridMs = 50

/**
 * Runs `work` and answers only at the next multiple of 50 ms since its start, also when it fails: what differs between a
 * known and an unknown address by a statement or two no longer shows in the time.
 */
export async function steady<T>(work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    return await work()
  } finally {
    const spent = performance.now() - started
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(spent / gridMs) * gridMs - spent))
  }
}
