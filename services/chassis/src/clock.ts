import { randomBytes, randomUUID } from 'node:crypto'

/** The time, passed in so that flows can be tested at any moment. */
export interface Clock {
  now(): Date
}

/** Ids and random bytes, passed in for the same reason. */
export interface Ids {
  uuid(): string
  bytes(count: number): Buffer
}

export const systemClock: Clock = { now: () => new Date() }
export const systemIds: Ids = { uuid: () => randomUUID(), bytes: (count) => randomBytes(count) }
