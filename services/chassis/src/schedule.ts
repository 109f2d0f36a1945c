import type { Log } from './log.ts'
import { withSpan } from './telemetry.ts'

/** Work that returns; every replica runs it, so it claims what it does in the database. */
export interface Schedule {
  name: string
  everyMs: number
  run: () => Promise<void>
}

/** Runs schedules, each one never beside itself; a failure is logged and the next round comes all the same. */
export function startSchedules(schedules: readonly Schedule[], log: Log): { close(): Promise<void> } {
  let closed = false
  const loops = schedules.map((schedule) => {
    let timer: NodeJS.Timeout | undefined
    let running: Promise<void> = Promise.resolve()
    const round = async () => {
      try {
        await withSpan(`schedule ${schedule.name}`, {}, schedule.run)
      } catch (error) {
        log.error({ err: error, schedule: schedule.name }, 'scheduled work failed')
      }
      // Jitter keeps replicas from asking the database at the same moment.
      if (!closed) timer = setTimeout(next, schedule.everyMs * (0.9 + Math.random() * 0.2))
    }
    const next = () => {
      running = round()
    }
    timer = setTimeout(next, Math.min(500, schedule.everyMs))
    return async () => {
      clearTimeout(timer)
      await running
    }
  })
  return {
    close: async () => {
      closed = true
      await Promise.all(loops.map((stop) => stop()))
    },
  }
}
