import { z } from 'zod'
import { operation } from '../operation.ts'
import { limits } from '../plans.ts'
import { deletedSchema, idSchema } from '../schemas/common.ts'
import {
  certificateList,
  conversionRequest,
  conversionResult,
  createdCertificate,
  facturaeResult,
  personalCertificate,
  signResult,
  validationResult,
} from '../schemas/facturae.ts'
import { invoiceInput } from '../schemas/invoice-input.ts'

const base = { service: 'facturae', auth: 'key_or_jwt' } as const
const conversion = { ...base, tag: 'Conversion and signing' } as const
const certificates = { ...base, tag: 'Certificates', gate: 'managed_certificates' } as const
const personal = { ...base, tag: 'Certificates', gate: 'personal_certificate' } as const

const oneFile = (required: boolean) =>
  ({
    fields: ['file'],
    required,
    filesMax: 1,
    bytesMax: limits.invoiceFileBytesMax,
    tooLarge: 'FILE_TOO_LARGE',
  }) as const

const certificateFile = {
  fields: ['file'],
  required: true,
  filesMax: 1,
  bytesMax: limits.certificateFileBytesMax,
  tooLarge: 'CERT_TOO_LARGE',
} as const

/** `xsig` names a signed file as the public portal's tools do. */
const extension = z.object({ ext: z.enum(['xml', 'xsig']).default('xml') })

const perCallCertificate = ['x-certificate-id', 'x-p12-b64', 'x-p12-password', 'x-external-ref'] as const

/** Rows of the operation table: invoices into Facturae, signatures, custody, certificates. */
export const facturaeOperations = {
  convert: operation({
    ...conversion,
    id: 'convert',
    method: 'POST',
    path: '/convert',
    summary: 'Turns an invoice, as JSON or as a document, into Facturae 3.2.2',
    description:
      'Signed when a certificate comes with the call (X-P12-B64 with X-P12-Password, or X-Certificate-ID). A document costs one credit, JSON none.',
    idempotent: true,
    query: extension,
    body: { kind: 'json_or_files', schema: invoiceInput, bytesMax: limits.xmlBodyBytesMax, files: oneFile(false) },
    headers: perCallCertificate,
    response: { kind: 'json', status: 200, schema: conversionResult },
    errors: [
      'FILE_TYPE_INVALID',
      'FILE_CONTENT_MISMATCH',
      'QUOTA_EXCEEDED',
      'EXTRACTION_FAILED',
      'XML_BUILD_FAILED',
      'XML_SIGN_FAILED',
      'CERT_NOT_FOUND',
      'PLAN_REQUIRED',
    ],
    examples: {
      request: {
        vendor_name: 'Empresa de Pruebas SL',
        vendor_vat: 'B12345674',
        buyer_name: 'Clienta SA',
        buyer_vat: 'A58818501',
        invoice_number: 'F-2026-1',
        invoice_date: '2026-03-31',
        total: 121,
        line_items: [{ description: 'Servicio', quantity: 1, unit_price: 100, total: 100, tax_rate: 21 }],
      },
    },
  }),
  convertToFacturae: operation({
    ...conversion,
    id: 'convertToFacturae',
    method: 'POST',
    path: '/convert-to-facturae',
    summary: 'Turns an answer of /extract into Facturae 3.2.2, signed if asked',
    description:
      'seller_info and buyer_info win over invoice_data. With sign the certificate is certificate_id, else p12_b64, else the personal one of the account.',
    idempotent: true,
    query: extension,
    body: { kind: 'json', schema: conversionRequest, bytesMax: limits.xmlBodyBytesMax },
    headers: ['x-p12-password', 'x-external-ref'],
    response: { kind: 'json', status: 200, schema: facturaeResult },
    errors: ['INVALID_INPUT', 'XML_BUILD_FAILED', 'XML_SIGN_FAILED', 'CERT_NOT_FOUND', 'PLAN_REQUIRED'],
  }),
  downloadFacturae: operation({
    ...conversion,
    id: 'downloadFacturae',
    method: 'POST',
    path: '/convert-to-facturae/download',
    summary: 'The same as /convert-to-facturae, answered as a file',
    query: extension,
    body: { kind: 'json', schema: conversionRequest, bytesMax: limits.xmlBodyBytesMax },
    headers: ['x-p12-password', 'x-external-ref'],
    response: { kind: 'file', status: 200, contentTypes: ['application/xml'] },
    errors: ['INVALID_INPUT', 'XML_BUILD_FAILED', 'XML_SIGN_FAILED', 'CERT_NOT_FOUND', 'PLAN_REQUIRED'],
  }),
  signXml: operation({
    ...conversion,
    id: 'signXml',
    method: 'POST',
    path: '/sign',
    summary: 'Signs a Facturae 3.2, 3.2.1 or 3.2.2',
    description:
      'Costs one credit. The certificate is X-Certificate-ID, else X-P12-B64, else the personal one. Sums that do not hold are signed with a warning.',
    idempotent: true,
    query: extension,
    body: { kind: 'xml', files: oneFile(true) },
    headers: perCallCertificate,
    response: { kind: 'json', status: 200, schema: signResult },
    errors: ['XML_SIGN_FAILED', 'CERT_NOT_FOUND', 'QUOTA_EXCEEDED', 'PLAN_REQUIRED'],
  }),
  validateXml: operation({
    ...conversion,
    id: 'validateXml',
    method: 'POST',
    path: '/validate',
    summary: 'Checks schema, sums, portal rules and signature of any Facturae',
    body: { kind: 'xml', files: oneFile(true) },
    response: { kind: 'json', status: 200, schema: validationResult },
  }),
  getCustody: operation({
    ...conversion,
    id: 'getCustody',
    method: 'GET',
    path: '/invoices/{log_id}/facturae',
    summary: 'The signed XML kept in custody',
    params: z.object({ log_id: idSchema }),
    response: { kind: 'file', status: 200, contentTypes: ['application/xml'] },
    errors: ['INVOICE_NOT_FOUND'],
  }),
  downloadZip: operation({
    ...conversion,
    id: 'downloadZip',
    method: 'POST',
    path: '/extract/batch/download-zip',
    summary: 'The Facturae of many extractions as one ZIP',
    description: 'The signed XML from custody where there is one, else built unsigned. At most 500 ids.',
    body: {
      kind: 'json',
      schema: z.object({ log_ids: z.array(idSchema).min(1).max(limits.zipLogIdsMax) }),
    },
    response: { kind: 'file', status: 200, contentTypes: ['application/zip'] },
    errors: ['INVOICE_NOT_FOUND', 'INVALID_INPUT'],
  }),
  createCertificate: operation({
    ...certificates,
    id: 'createCertificate',
    method: 'POST',
    path: '/certificates',
    summary: 'Keeps a signing certificate (.p12, .pfx; at most 5 MB)',
    description: 'File and password are stored encrypted and never returned.',
    body: {
      kind: 'files',
      files: certificateFile,
      fields: z.object({ name: z.string().trim().min(1).max(200), password: z.string().max(1000).default('') }),
    },
    response: { kind: 'json', status: 200, schema: createdCertificate },
    errors: ['CERT_INVALID_FORMAT', 'CERT_INVALID_PASSWORD'],
  }),
  listCertificates: operation({
    ...certificates,
    id: 'listCertificates',
    method: 'GET',
    path: '/certificates',
    summary: 'The active certificates of the account',
    response: { kind: 'json', status: 200, schema: certificateList },
  }),
  deleteCertificate: operation({
    ...certificates,
    id: 'deleteCertificate',
    method: 'DELETE',
    path: '/certificates/{certificate_id}',
    summary: 'Takes a certificate out of use',
    description: 'What it has signed stays as it is.',
    params: z.object({ certificate_id: z.string().max(100) }),
    response: { kind: 'json', status: 200, schema: deletedSchema },
    errors: ['CERT_NOT_FOUND'],
  }),
  saveUserCertificate: operation({
    ...personal,
    id: 'saveUserCertificate',
    method: 'POST',
    path: '/user/certificate',
    summary: 'Saves the personal certificate, in place of an earlier one',
    query: z.object({ password: z.string().max(1000).default('') }),
    body: { kind: 'files', files: certificateFile },
    response: { kind: 'json', status: 200, schema: personalCertificate },
    errors: ['CERT_INVALID_FORMAT', 'CERT_INVALID_PASSWORD'],
  }),
  getUserCertificate: operation({
    ...personal,
    id: 'getUserCertificate',
    method: 'GET',
    path: '/user/certificate',
    summary: 'What the personal certificate says of itself',
    response: { kind: 'json', status: 200, schema: personalCertificate },
    errors: ['CERT_NOT_FOUND'],
  }),
  deleteUserCertificate: operation({
    ...personal,
    id: 'deleteUserCertificate',
    method: 'DELETE',
    path: '/user/certificate',
    summary: 'Removes the personal certificate',
    response: { kind: 'json', status: 200, schema: deletedSchema },
    errors: ['CERT_NOT_FOUND'],
  }),
}
