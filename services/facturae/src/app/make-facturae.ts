import type { InvoiceDataInput, PartyInfoInput } from '@asiento/proto/schemas/invoice-input'
import { madridDate } from '@asiento/proto/time'
import type { OpenedKey } from '../certificates/open-p12.ts'
import type { Built } from '../work/tasks.ts'
import { type Deps, signWith, type Work } from './deps.ts'
import { facturaeFilename } from './filename.ts'
import { type CustodyCommand, type Kept, keepInCustody } from './keep-in-custody.ts'

export interface Order extends Pick<CustodyCommand, 'source' | 'externalRef' | 'logId'> {
  input: InvoiceDataInput
  seller?: PartyInfoInput | null
  buyer?: PartyInfoInput | null
  /** Where the input stands in the request, for 422. */
  loc: readonly string[]
  /** Null where the invoice is not to be signed. */
  key: OpenedKey | null
  ext: 'xml' | 'xsig'
}

export interface Made extends Built {
  filename: string
  /** Null where it is not signed. */
  kept: Kept | null
}

/**
 * From input to a Facturae, checked, and in custody where it is signed; the same work again answers the XML that was kept
 * first. Fails like {@link buildFacturae}, and XML_SIGN_FAILED.
 */
export async function makeFacturae(deps: Deps, work: Work, order: Order): Promise<Made> {
  const { input, seller = null, buyer = null, loc, key, ext, source, externalRef, logId } = order
  const built = await deps.work<'build'>({
    kind: 'build',
    build: { input, seller, buyer, loc, today: madridDate(deps.clock.now()) },
    sign: key === null ? null : signWith(deps, key),
  })
  const { xml, signed, summary } = built
  const filename = facturaeFilename(summary.invoiceNumber, { signed, ext })
  if (!signed) return { ...built, filename, kept: null }
  const command = { ...work, source, xml, filename, summary, externalRef, logId, reservationId: null }
  const kept = await keepInCustody(deps)(command)
  return { ...built, xml: kept.xml, filename, kept }
}
