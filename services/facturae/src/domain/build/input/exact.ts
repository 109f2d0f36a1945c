import { type Scaled, scaled } from '@asiento/proto/money'

/** A number of the input as an exact decimal; whole numbers, the usual case, without going through text. */
export const exact = (value: number): Scaled =>
  Number.isInteger(value) && Math.abs(value) < 90_000_000 ? BigInt(value * 100_000_000) : scaled(value)
