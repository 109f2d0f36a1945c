import type { ColumnType, Generated } from 'kysely'

export interface CertificatesTable {
  id: Generated<number>
  certificate_id: string
  user_id: number
  kind: 'managed' | 'personal'
  name: string
  subject: string
  issuer: string
  tax_id: string | null
  fingerprint: string
  not_before: Date
  not_after: Date
  kid: string | null
  wrapped_key: Buffer | null
  sealed: Buffer | null
  created_at: Date
  deleted_at: Date | null
  expiry_mailed_at: Date | null
}

export interface CustodyTable {
  id: Generated<number>
  storage_file_id: string
  work_id: string
  log_id: number
  user_id: number
  key_id: number | null
  subaccount_id: number | null
  sandbox: boolean
  source: 'convert' | 'sign' | 'issue'
  sha256: string
  size_bytes: number
  object_key: string
  filename: string
  invoice_number: string
  /** `YYYY-MM-DD` */
  invoice_date: ColumnType<string, string, string>
  seller_tax_id: string
  external_ref: string | null
  created_at: Date
  /** `YYYY-MM-DD` */
  expires_at: ColumnType<string, string, string>
}

export interface Tables {
  certificates: CertificatesTable
  custody: CustodyTable
}
