/**
 * How long to wait before the next attempt, in milliseconds; null when there is none.
 *
 * `failures` counts the attempts that have failed (1 after the first). `random` in [0, 1) spreads the moments by ±10 %
 * so that what failed together does not come back together.
 */
export function retryDelayMs(secondsList: readonly number[], failures: number, random: number): number | null {
  const seconds = secondsList[failures - 1]
  return seconds === undefined ? null : Math.round(seconds * 1_000 * (0.9 + random * 0.2))
}
