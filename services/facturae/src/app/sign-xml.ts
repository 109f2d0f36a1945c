import { scopeOf } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { InputOf } from '@asiento/proto/operation'
import type { Operations } from '@asiento/proto/operations'
import type { SignResult } from '@asiento/proto/schemas/facturae'
import { madridDate } from '@asiento/proto/time'
import { type Deps, signWith, type Work } from './deps.ts'
import { facturaeFilename } from './filename.ts'
import { keepInCustody } from './keep-in-custody.ts'
import { signingKey, sourceOfHeaders } from './signing-key.ts'

type SignInput = InputOf<Operations['signXml']>

/**
 * `POST /sign`: everything that can be wrong with XML or certificate is found before the credit is reserved; the credit
 * is committed with the custody record, and given back when signing fails after all.
 */
export const signXml =
  (deps: Deps) =>
  async ({ files, headers, query }: SignInput, work: Work): Promise<SignResult> => {
    const [upload] = files
    const bytes = upload === undefined ? null : await deps.objects.get(upload.objectKey)
    if (bytes === null) return fail('INVALID_INPUT', { detail: 'The XML is missing.' })
    const key = await signingKey(deps, work.actor, sourceOfHeaders(headers))
    const sign = signWith(deps, key)
    const today = madridDate(deps.clock.now())
    const { summary, role, warnings } = await deps.work<'inspect'>({ kind: 'inspect', bytes, today, sign })
    const filename = facturaeFilename(summary.invoiceNumber, { signed: true, ext: query.ext })
    const reservationId = reservationOf(work.workId)
    await deps.rpc.identity.reserveCredits({ reservationId, credits: 1, scope: scopeOf(work.actor) }, work.context)
    try {
      const { xml } = await deps.work<'sign'>({ kind: 'sign', bytes, sign, role })
      const kept = await keepInCustody(deps)({
        ...work,
        source: 'sign',
        xml,
        filename,
        summary,
        externalRef: headers['x-external-ref'] ?? null,
        logId: null,
        reservationId,
      })
      return {
        xml: kept.xml,
        xml_base64: Buffer.from(kept.xml, 'utf8').toString('base64'),
        signed: true,
        source: 'sign',
        log_id: kept.logId,
        filename,
        warnings,
      }
    } catch (error) {
      await giveBack(deps, work, reservationId)
      throw error
    }
  }

const reservationOf = (workId: string): string => `facturae:${workId}`

/** Where identity cannot be reached it asks {@link reservationState} when the reservation's time is over. */
async function giveBack(deps: Deps, { context, workId }: Work, reservationId: string): Promise<void> {
  try {
    const { state } = await reservationState(deps)(reservationOf(workId))
    if (state === 'gone') await deps.rpc.identity.settleCredits({ reservationId, outcome: 'release' }, context)
  } catch (error) {
    deps.log.warn({ err: error, reservationId }, 'credit not given back yet')
  }
}

/** A signature is in custody or it is not: nothing lasts longer than the call. */
export const reservationState =
  ({ db }: Pick<Deps, 'db'>) =>
  async (reservationId: string): Promise<{ state: 'done' | 'gone' }> => {
    const workId = reservationId.replace(/^facturae:/, '')
    if (!/^[0-9a-f-]{36}$/.test(workId)) return { state: 'gone' }
    const row = await db.query.selectFrom('custody').select('id').where('work_id', '=', workId).executeTakeFirst()
    return { state: row === undefined ? 'gone' : 'done' }
  }
