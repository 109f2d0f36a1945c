import type { Download, InputOf } from '@asiento/proto/operation'
import type { Operations } from '@asiento/proto/operations'
import type { FacturaeResult } from '@asiento/proto/schemas/facturae'
import type { Deps, Work } from './deps.ts'
import { type Made, makeFacturae } from './make-facturae.ts'
import { signingKey, utf8 } from './signing-key.ts'

type ConversionInput = InputOf<Operations['convertToFacturae']>

/** `POST /convert-to-facturae`. */
export const convertToFacturae =
  (deps: Deps) =>
  async (input: ConversionInput, work: Work): Promise<FacturaeResult> => {
    const { xml, signed, filename, warnings, kept } = await convertInvoice(deps, input, work)
    return { xml, version: '3.2.2', signed, filename, warnings, ...(kept === null ? {} : { log_id: kept.logId }) }
  }

/** `POST /convert-to-facturae/download`: the object in custody, or one that lives only for this answer. */
export const downloadFacturae =
  (deps: Deps) =>
  async (input: ConversionInput, work: Work): Promise<Download> => {
    const { xml, filename, kept } = await convertInvoice(deps, input, work)
    const file = { filename, contentType: 'application/xml', disposition: 'attachment' } as const
    if (kept !== null) return { ...file, objectKey: kept.objectKey }
    const objectKey = temporaryKey(deps)
    await deps.objects.put(objectKey, Buffer.from(xml, 'utf8'))
    return { ...file, objectKey, temporary: true }
  }

/** Lies where the gateway sweeps what nobody fetched. */
export const temporaryKey = ({ clock, ids }: Pick<Deps, 'clock' | 'ids'>): string =>
  `uploads/${clock.now().toISOString().slice(0, 10)}/${ids.uuid()}`

async function convertInvoice(deps: Deps, { body, headers, query }: ConversionInput, work: Work): Promise<Made> {
  const password = headers['x-p12-password']
  const key =
    body.sign === true
      ? await signingKey(deps, work.actor, {
          certificateId: body.certificate_id ?? null,
          p12Base64: body.p12_b64 ?? null,
          p12Password: password === undefined ? (body.p12_password ?? '') : utf8(password),
        })
      : null
  return makeFacturae(deps, work, {
    source: 'convert',
    input: body.strict == null ? body.invoice_data : { ...body.invoice_data, strict: body.strict },
    seller: body.seller_info ?? null,
    buyer: body.buyer_info ?? null,
    loc: ['body', 'invoice_data'],
    key,
    ext: query.ext,
    externalRef: body.external_ref ?? headers['x-external-ref'] ?? null,
    logId: body.invoice_data._log_id ?? null,
  })
}
