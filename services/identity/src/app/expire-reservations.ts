import { type ServiceName, serviceNames } from '@asiento/proto/operation'
import type { reservationStateProcedure } from '@asiento/proto/procedures/identity'
import type { CallContext } from '@asiento/proto/rpc'
import { sql } from 'kysely'
import type { z } from 'zod'
import { settleCredits } from './credits.ts'
import type { Deps } from './deps.ts'

type WorkState = z.output<typeof reservationStateProcedure.output>['state']

/** A service that can tell what became of the work behind a reservation. */
interface Owner {
  reservationState?: (input: { reservationId: string }, context: CallContext) => Promise<{ state: WorkState }>
}

const batchRows = 100
const leaseMs = 60_000

/**
 * Looks into reservations whose time is over: the service that made one is asked first. Work that goes on keeps its
 * reservation, work that was done is charged, and what nobody knows of is given back. A service that cannot be reached
 * is asked again a minute later.
 */
export const expireReservations = (deps: Deps) => async (): Promise<void> => {
  const due = await claimDue(deps)
  for (const { id, service } of due) {
    const state = await askOwner(deps, service, id)
    if (state === 'working') await keep(deps, id)
    else if (state !== 'unreachable') {
      const outcome = state === 'done' ? 'commit' : 'expire'
      await deps.db.transaction((tx) => settleCredits(deps, tx, { reservationId: id, outcome }))
    }
  }
}

/** Takes due rows for a minute, so that no two replicas ask about one and none is held while an answer is awaited. */
async function claimDue({ db, clock }: Deps): Promise<{ id: string; service: string }[]> {
  const now = clock.now()
  const { rows } = await sql<{ id: string; service: string }>`
    update reservations set expires_at = ${new Date(now.getTime() + leaseMs)}
    where id in (select id from reservations where state = 'reserved' and expires_at < ${now}
                 order by expires_at limit ${batchRows} for update skip locked)
    returning id, service`.execute(db.query)
  return rows
}

async function askOwner({ rpc, log }: Deps, service: string, id: string): Promise<WorkState | 'unreachable'> {
  const name = serviceNames.find((candidate): candidate is ServiceName => candidate === service)
  // The procedure is optional, so the typed client of a service that lacks it does not know it.
  const owner = name === undefined ? undefined : (rpc[name] as unknown as Owner | undefined)
  if (owner?.reservationState === undefined) return 'gone'
  try {
    const { state } = await owner.reservationState(
      { reservationId: id },
      { actor: null, requestId: `reservation-${id}` },
    )
    return state
  } catch (error) {
    log.warn({ err: error, owner: service }, 'a reservation could not be looked into yet')
    return 'unreachable'
  }
}

async function keep({ db, clock, config }: Deps, id: string): Promise<void> {
  const expiresAt = new Date(clock.now().getTime() + config.RESERVATION_MINUTES * 60_000)
  await db.query
    .updateTable('reservations')
    .set({ expires_at: expiresAt })
    .where('id', '=', id)
    .where('state', '=', 'reserved')
    .execute()
}
