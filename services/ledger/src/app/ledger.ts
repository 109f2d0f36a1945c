import type { Clock, Ids } from '@asiento/chassis/clock'
import type { Database, Tx } from '@asiento/chassis/db'
import type { Log } from '@asiento/chassis/log'
import type { Objects } from '@asiento/chassis/objects'
import type { RpcClients } from '@asiento/proto/rpc'
import { madridDate, timestamp } from '@asiento/proto/time'
import type { Tables } from '../adapters/out/tables.ts'

/** What every use case of the ledger works with. */
export interface Ledger {
  db: Database<Tables>
  objects: Objects
  rpc: RpcClients
  clock: Clock
  ids: Ids
  log: Log
}

export type LedgerTx = Tx<Tables>

/** The instant as it is stored: `YYYY-MM-DD HH:MM:SS` in UTC. */
export const nowOf = ({ clock }: Pick<Ledger, 'clock'>): string => timestamp(clock.now())

/** Today in Madrid, where due dates are counted. */
export const todayOf = ({ clock }: Pick<Ledger, 'clock'>): string => madridDate(clock.now())
