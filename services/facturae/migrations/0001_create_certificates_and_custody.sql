-- Signing certificates that accounts keep here. The file and its password are sealed with a key of their own, and that
-- key with a master key from the configuration (kid): neither is ever readable from the database alone.
create table certificates (
  id bigint generated always as identity primary key,
  certificate_id text not null unique,
  user_id bigint not null,
  kind text not null check (kind in ('managed', 'personal')),
  name text not null,
  subject text not null,
  issuer text not null,
  tax_id text,
  fingerprint text not null,
  not_before timestamptz not null,
  not_after timestamptz not null,
  kid text,
  wrapped_key bytea,
  sealed bytea,
  created_at timestamptz not null,
  -- Set when it goes out of use; its secrets are gone from then on.
  deleted_at timestamptz,
  expiry_mailed_at timestamptz,
  check ((deleted_at is null) = (sealed is not null and wrapped_key is not null and kid is not null))
);
create index certificates_user on certificates (user_id, id) where deleted_at is null;
create unique index certificates_personal on certificates (user_id) where kind = 'personal' and deleted_at is null;
create index certificates_expiry on certificates (not_after) where deleted_at is null and expiry_mailed_at is null;
create index certificates_kid on certificates (kid) where deleted_at is null;

-- Signed invoices, kept as long as the law asks (Ley 58/2003 art. 66, Código de Comercio art. 30). The XML lies in the
-- object store under its own hash.
create table custody (
  id bigint generated always as identity primary key,
  storage_file_id uuid not null unique,
  -- Names the piece of work: repeated, it is kept once.
  work_id uuid not null unique,
  log_id bigint not null,
  user_id bigint not null,
  key_id bigint,
  subaccount_id bigint,
  sandbox boolean not null,
  source text not null check (source in ('convert', 'sign', 'issue')),
  sha256 text not null,
  size_bytes bigint not null,
  object_key text not null,
  filename text not null,
  invoice_number text not null,
  invoice_date date not null,
  seller_tax_id text not null,
  external_ref text,
  created_at timestamptz not null,
  expires_at date not null
);
create index custody_log on custody (user_id, log_id, id desc);
create index custody_sha256 on custody (sha256);
create index custody_expiry on custody (expires_at);
