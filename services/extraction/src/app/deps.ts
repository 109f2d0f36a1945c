import type { Clock, Ids } from '@asiento/chassis/clock'
import type { Database } from '@asiento/chassis/db'
import type { Log } from '@asiento/chassis/log'
import type { Objects } from '@asiento/chassis/objects'
import type { WorkerPool } from '@asiento/chassis/workers'
import type { RpcClients } from '@asiento/proto/rpc'
import type { LanguageModel } from '../adapters/language-model.ts'
import type { OwnTaxId } from '../adapters/own-tax-id.ts'
import type { Tables } from '../adapters/tables.ts'
import type { Document } from '../domain/page.ts'
import type { RenderTask } from '../pages/render-worker.ts'
import type { ReadTask } from '../pages/worker.ts'
import type { Read } from '../pipeline/extract-invoice.ts'
import type { PipelineTask } from '../pipeline/worker.ts'

/** What the use cases of extraction stand on. */
export interface Deps {
  db: Database<Tables>
  objects: Objects
  rpc: RpcClients
  log: Log
  clock: Clock
  ids: Ids
  pipeline: WorkerPool<PipelineTask, Read>
  /** Words with boxes only, for learning from a correction. */
  reader: WorkerPool<ReadTask, Document>
  pictures: WorkerPool<RenderTask, Uint8Array>
  ownTaxId: OwnTaxId
  /** Null: never asked. */
  model: LanguageModel | null
  /** 0: originals are not kept. */
  retentionDays: number
}
