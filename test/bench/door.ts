import { type Door, type Doors, withDoors } from './doors.ts'
import { type Figure, median, short } from './figure.ts'
import { type Load, load } from './load.ts'

const connections = 8
/** Turns that are not counted: compilers, prepared statements and, in the one process, worker threads that start. */
const warmUps = 2

type Measured = Load & {
  /** Processor time of one request in the Node processes. */
  cpuMs: number
}

type Round = Record<keyof Doors, Measured>

/**
 * An authenticated GET /quota against a bare Fastify route in a process of its own: in a cluster's form, gateway and
 * identity as processes, and with all services in one process. The doors take turns, and each figure is the median over the
 * turns.
 */
export async function benchDoor({ rounds = 7, seconds = 3 } = {}): Promise<Figure[]> {
  return withDoors(async (doors) => {
    const once = async (): Promise<Round> => ({
      bare: await measure(doors.bare, seconds),
      cluster: await measure(doors.cluster, seconds),
      oneProcess: await measure(doors.oneProcess, seconds),
    })
    for (let round = 0; round < warmUps; round += 1) await once()
    const measured: Round[] = []
    for (let round = 0; round < rounds; round += 1) measured.push(await once())
    return [
      ...figuresOf(measured, 'cluster', 'gateway and identity'),
      ...figuresOf(measured, 'oneProcess', 'one process'),
    ]
  })
}

async function measure({ url, headers, cpuSeconds }: Door, seconds: number): Promise<Measured> {
  const before = await cpuSeconds()
  const loaded = await load({ url, seconds, connections, headers })
  return { ...loaded, cpuMs: (1_000 * ((await cpuSeconds()) - before)) / (loaded.perSecond * seconds) }
}

function figuresOf(rounds: readonly Round[], form: 'cluster' | 'oneProcess', words: string): Figure[] {
  const middle = (of: keyof Doors, what: keyof Measured) => short(median(rounds.map((round) => round[of][what])))
  return [
    {
      name: `GET /quota, ${words}: rate, of a bare route`,
      ours: `${middle(form, 'perSecond')}/s`,
      baseline: `${middle('bare', 'perSecond')}/s`,
      ratio: median(rounds.map((round) => round[form].perSecond / round.bare.perSecond)),
      target: { atLeast: 0.6 },
    },
    {
      name: `GET /quota, ${words}: p99 over p50 under ${connections} connections`,
      ours: `${middle(form, 'p99Ms')}/${middle(form, 'p50Ms')} ms`,
      baseline: `${middle('bare', 'p99Ms')}/${middle('bare', 'p50Ms')} ms`,
      ratio: median(rounds.map((round) => round[form].p99Ms / round[form].p50Ms)),
      target: { atMost: 5 },
    },
    {
      name: `GET /quota, ${words}: processor time of a request in Node`,
      ours: `${middle(form, 'cpuMs')} ms`,
      baseline: `${middle('bare', 'cpuMs')} ms`,
      ratio: median(rounds.map((round) => round[form].cpuMs / round.bare.cpuMs)),
      target: null,
    },
  ]
}

if (import.meta.main) console.table(await benchDoor({ rounds: Number(process.argv[2] ?? 3) }))
