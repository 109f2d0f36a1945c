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
import type { CustodyEntry } from './write-custody.ts'

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
  /** Writes the record of a signed invoice with its events; false where the same work has one already. */
  writeCustody: (entry: CustodyEntry) => Promise<boolean>
}

/** `seenAt`: when the database was asked for the certificate and had it in use. */
export interface KeyCache {
  /** The key of an account's certificate that was in use within the last second, so that the database need not be asked. */
  current(userId: number, certificateId: string): OpenedKey | undefined
  get(certificateId: string, seenAt: Date): OpenedKey | undefined
  set(certificateId: string, opened: { key: OpenedKey; userId: number; seenAt: Date }): void
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
