/** Waits for a condition that holds in the end; fails when it does not within `withinMs`. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | null | undefined | false>,
  withinMs = 20_000,
): Promise<T> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const found = await probe()
    if (found !== null && found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
