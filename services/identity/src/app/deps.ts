import type { Clock, Ids } from '@asiento/chassis/clock'
import type { Database, Tx } from '@asiento/chassis/db'
import type { Log } from '@asiento/chassis/log'
import type { RpcClients } from '@asiento/proto/rpc'
import type { Tables } from '../adapters/out/tables.ts'
import type { IdentityConfig } from '../config.ts'

/** What the use cases are given. */
export interface Deps {
  config: IdentityConfig
  db: Database<Tables>
  clock: Clock
  ids: Ids
  log: Log
  rpc: RpcClients
}

export type IdentityTx = Tx<Tables>
