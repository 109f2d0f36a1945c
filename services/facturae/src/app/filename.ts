/** `facturae_<invoice_number>.xml`, or `.xsig` for a signed file where that was asked. */
export const facturaeFilename = (
  invoiceNumber: string,
  { signed, ext }: { signed: boolean; ext: 'xml' | 'xsig' },
): string => `facturae_${invoiceNumber.replace(/[^A-Za-z0-9._-]/g, '_')}.${signed ? ext : 'xml'}`
