-- What is remembered of each invoice to recognize it when it comes again. subaccount_id 0 is the account itself.
create table invoices (
  log_id bigint primary key,
  -- Order of arrival: of two copies the later one is the duplicate, also when both were read at once.
  seq bigint generated always as identity,
  user_id bigint not null,
  subaccount_id bigint not null,
  key_id bigint,
  file_sha256 bytea not null,
  vendor_key text,
  vendor_name text,
  number_key text,
  invoice_number text,
  total_cents bigint,
  invoice_date date,
  created_at timestamptz not null default now()
);
create index invoices_by_file on invoices (user_id, subaccount_id, file_sha256);
create index invoices_by_number on invoices (user_id, subaccount_id, number_key, vendor_key);
create index invoices_by_amount on invoices (user_id, subaccount_id, total_cents, invoice_date, vendor_key);
create index invoices_by_vendor on invoices (user_id, subaccount_id, vendor_key);

create table duplicates (
  log_id bigint not null,
  original_log_id bigint not null,
  user_id bigint not null,
  subaccount_id bigint not null,
  key_id bigint,
  reason text not null check (reason in ('exact_file', 'same_invoice', 'near_duplicate')),
  score real not null,
  status text not null default 'open' check (status in ('open', 'confirmed', 'dismissed')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  primary key (log_id, original_log_id)
);
create index duplicates_by_original on duplicates (original_log_id);

create table vendors (
  user_id bigint not null,
  subaccount_id bigint not null,
  vendor_vat text not null,
  vendor_name text,
  trusted_iban text,
  source text check (source in ('first_seen', 'set')),
  -- The invoice whose IBAN was the first one.
  first_log_id bigint,
  last_seen timestamptz not null default now(),
  primary key (user_id, subaccount_id, vendor_vat)
);
create index vendors_by_iban on vendors (user_id, subaccount_id, trusted_iban);

create table learned_categories (
  user_id bigint not null,
  subaccount_id bigint not null,
  vendor_vat text not null,
  account_code text not null,
  taught_at timestamptz not null default now(),
  primary key (user_id, subaccount_id, vendor_vat)
);

-- What VIES said of a number; public knowledge, shared by all accounts.
create table vies_verdicts (
  vat text primary key,
  registered boolean not null,
  asked_at timestamptz not null default now()
);
