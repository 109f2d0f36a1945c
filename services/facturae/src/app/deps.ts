import type { Clock, Ids } from '@asiento/chassis/clock'
import type { Database } from '@asiento/chassis/db'
import type { Log } from '@asiento/chassis/log'
import type { Objects } from '@asiento/chassis/objects'
import type { Sealer } from '@asiento/chassis/sealed'
import type { Actor } from '@asiento/proto/actor'
import type { CallContext, RpcClients } from '@asiento/proto/rpc'
import type { Tables } from '../adapters/out/tables.ts'
import type { CertificateFailures } from '../certificates/fail-p12.ts'
import type { OpenedKey } from '../certificates/open-p12.ts'
import type { SignWith, Task, TaskResults } from '../work/tasks.ts'

/** What the use cases stand on. */
export interface Deps {
  db: Database<Tables>
  objects: Objects
  rpc: RpcClients
  log: Log
  clock: Clock
  ids: Ids
  /** Seals certificates and their passwords under the master keys. */
  sealer: Sealer
  custodyYears: number
  timestampUrl: string | null
  /** Runs a task on a worker thread; failures of the error table and 422 come out as themselves. */
  work: <K extends Task['kind']>(task: Extract<Task, { kind: K }>) => Promise<TaskResults[K]>
  /** Opens a .p12 on a worker thread; the bytes are moved there and zeroed after use. */
  openP12: (file: Uint8Array<ArrayBuffer>, password: string, failures: CertificateFailures) => Promise<OpenedKey>
  /** Opened keys of stored certificates, for a bounded time. */
  openedKeys: KeyCache
}

export interface KeyCache {
  get(certificateId: string): OpenedKey | undefined
  set(certificateId: string, key: OpenedKey): void
  delete(certificateId: string): void
}

/** A call with its caller, and the id of the work it stands for. */
export interface Work {
  actor: Actor
  context: CallContext
  workId: string
}

/** A key as a worker signs with it, now. */
export const signWith = ({ clock, timestampUrl }: Pick<Deps, 'clock' | 'timestampUrl'>, key: OpenedKey): SignWith => ({
  key,
  signedAt: clock.now(),
  timestampUrl,
})
