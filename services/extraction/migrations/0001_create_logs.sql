-- One row a document that was opened: what was read, for whom, and how it ended.
create table logs (
  id bigint generated always as identity primary key,
  -- Names the piece of work: a second holder of an idempotent request finds this row and does nothing twice.
  work_id uuid not null unique,
  user_id bigint not null,
  key_id bigint,
  subaccount_id bigint,
  sandbox boolean not null,
  source text not null check (source in ('extract', 'batch', 'convert', 'sign', 'import')),
  status text not null check (status in ('running', 'ok', 'error')),
  -- What becomes of the reserved credit; null while running and where none was reserved.
  credit text check (credit in ('commit', 'release')),
  filename text not null,
  sha256 text,
  size_bytes bigint,
  content_type text,
  -- The original while it is kept.
  document_key text,
  document_until timestamptz,
  external_ref text,
  error_code text,
  error_detail text,
  vendor_name text,
  vendor_vat text,
  invoice_number text,
  invoice_date date,
  due_date date,
  total_cents bigint,
  currency text,
  confidence real,
  warnings_count integer not null default 0,
  account_code text,
  duplicate boolean,
  -- The answer as it was read; corrections lie beside it and never over it.
  result jsonb,
  corrections jsonb,
  -- Lower case, for the search of the history.
  search text not null default '',
  paid boolean not null default false,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index logs_user on logs (user_id, id desc) where status <> 'running';
create index logs_key on logs (key_id, id desc) where status <> 'running' and key_id is not null;
create index logs_subaccount on logs (subaccount_id, id desc) where status <> 'running' and subaccount_id is not null;
create index logs_user_created on logs (user_id, created_at) where status <> 'running';
create index logs_due on logs (user_id, due_date, id) where status = 'ok' and due_date is not null and not paid;
create index logs_search on logs using gin (search public.gin_trgm_ops);
create index logs_running on logs (created_at) where status = 'running';
create index logs_document on logs (document_until) where document_key is not null;
create index logs_ledger on logs (user_id, id) where status = 'ok' and subaccount_id is null and not sandbox;

-- Sums per day, kept in the transaction of each log, so that metrics cost the same at a million logs.
create table daily_usage (
  user_id bigint not null,
  -- 0 stands for none: a key of a primary key cannot be null.
  key_id bigint not null,
  subaccount_id bigint not null,
  day date not null,
  ok_count integer not null default 0,
  error_count integer not null default 0,
  warning_count integer not null default 0,
  confidence_sum double precision not null default 0,
  primary key (user_id, day, key_id, subaccount_id)
);

-- What corrections taught about a vendor's layout, per account and apart per subaccount (0: the account itself).
create table vendor_layouts (
  user_id bigint not null,
  subaccount_id bigint not null,
  vendor_vat text not null,
  log_id bigint not null,
  layout jsonb not null,
  created_at timestamptz not null default now(),
  primary key (user_id, subaccount_id, vendor_vat, log_id)
);
create index vendor_layouts_log on vendor_layouts (log_id);
