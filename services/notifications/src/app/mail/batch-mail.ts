import type { Clock } from '@asiento/chassis/clock'
import type { Tx } from '@asiento/chassis/db'
import type { EventMessage } from '@asiento/proto/events'
import type { RpcClients } from '@asiento/proto/rpc'
import type { Tables } from '../../adapters/tables.ts'
import { queueMail } from './queue-mail.ts'

/** The mail at the end of a job: one a job. A cancelled job and an account that is gone get none. */
export const mailFinishedBatch =
  ({ rpc, clock }: { rpc: RpcClients; clock: Clock }) =>
  async (tx: Tx<Tables>, { payload, id }: EventMessage<'batch.finished'>): Promise<void> => {
    if (payload.status === 'cancelled') return
    const owner = await rpc.identity.actorFor(payload.scope, { actor: null, requestId: id })
    if (owner === null) return
    const { jobId, total, processed, failed, status } = payload
    const mail = {
      mailId: `batch-finished:${jobId}`,
      to: owner.email,
      locale: owner.locale,
      template: 'batch_finished' as const,
      data: { job_id: jobId, total, processed, failed, status },
    }
    await queueMail(tx, mail, clock.now())
  }
