import { fail } from '@asiento/proto/errors'
import type { ExtractionResult } from '@asiento/proto/schemas/extraction-result'
import { parseInvoiceXml } from '../intake/parse-invoice-xml.ts'
import type { Deps } from './deps.ts'
import type { Extract, ExtractCommand } from './extract-document.ts'

/** Reads a Facturae, UBL or CII invoice exactly; everything else is as for a document. Fails INVALID_INPUT. */
export const importXml =
  (deps: Pick<Deps, 'objects'>, extract: Extract) =>
  async (command: ExtractCommand): Promise<ExtractionResult> => {
    const bytes = await deps.objects.get(command.upload.objectKey)
    if (bytes === null) return fail('INVALID_INPUT', { detail: 'The XML is missing.' })
    // Refused here, XML that is no invoice leaves no log, like a file of a wrong type.
    const parsed = parseInvoiceXml(bytes)
    return extract({ ...command, read: async () => parsed })
  }
