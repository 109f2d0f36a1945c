/** A message on the bus: the value is JSON text of an event. */
export interface BusMessage {
  topic: string
  key: string
  value: string
  /** Carries the trace. */
  headers: Record<string, string>
}

export interface Subscription {
  group: string
  topic: string
  /**
   * Applies one message. It resolves when the effect is durable or the message has been set aside; it rejects when the
   * message must be delivered again.
   */
  handle: (message: BusMessage, delivery: Delivery) => Promise<void>
}

export interface Delivery {
  /** Before a further attempt at the same message; rejects when this process is to leave it to another. */
  heartbeat: () => Promise<void>
}

/**
 * Topics with consumer groups. Every group gets every message at least once; messages of one key reach a group in the
 * order in which they were sent.
 */
export interface Bus {
  /** Sends messages in order; resolves when none of them can be lost any more. */
  send(messages: readonly BusMessage[]): Promise<void>
  /** Before {@link start}. */
  subscribe(subscription: Subscription): void
  /** Resolves when messages can be sent; the groups are joined in the background. */
  start(): Promise<void>
  /** Leaves the groups at once, after the running messages. */
  close(): Promise<void>
  /** Rejects when the bus cannot be reached. */
  probe(): Promise<void>
}
