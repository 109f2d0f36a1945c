import { createRequire } from 'node:module'
import pdfmake from 'pdfmake'
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js'

const require = createRequire(import.meta.url)
pdfmake.setFonts({
  ...require('pdfmake/standard-fonts/Helvetica.js'),
  ...require('pdfmake/standard-fonts/Times.js'),
  ...require('pdfmake/fonts/Roboto.js'),
})
// Nothing but its own fonts, of which it asks by path or by name.
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy(() => true)

/** The PDF of a definition; Helvetica, Times and Roboto are there. */
export const made = (definition: TDocumentDefinitions): Promise<Uint8Array> =>
  pdfmake.createPdf({ ...definition, info: { ...definition.info, creationDate: new Date(0) } }).getBuffer()
