-- Logs that were imported once stay imported, also when their entry is deleted later.
create table imported_logs (
  user_id bigint not null,
  log_id bigint not null,
  imported_at timestamptz(0) not null,
  primary key (user_id, log_id)
);

create table preferences (
  user_id bigint primary key,
  auto_import boolean not null,
  import_popup_shown boolean not null
);

create table fiscal_profiles (
  user_id bigint primary key,
  profile jsonb not null
);

-- What repeats: entries, and invoices that are issued. `template` is what each occurrence is made of.
create table recurring (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  kind text not null check (kind in ('entry', 'invoice')),
  template jsonb not null,
  frequency text not null,
  start_date date not null,
  end_date date,
  -- How many were made; the next one follows from it and the start.
  occurrences integer not null default 0,
  -- Null once the last one was made.
  next_date date,
  created_at timestamptz(0) not null
);
create index recurring_by_user on recurring (user_id, kind, id desc);
create index recurring_due on recurring (next_date) where next_date is not null;

-- The last number given within a series of invoices or proposals.
create table number_series (
  user_id bigint not null,
  kind text not null check (kind in ('invoice', 'proposal')),
  series text not null,
  last_number bigint not null,
  primary key (user_id, kind, series)
);

create table issued_invoices (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  recurring_id bigint not null,
  series text not null,
  number bigint not null,
  invoice_number text not null,
  date date not null,
  entry_id bigint not null,
  -- The invoice as the Facturae is built from it.
  invoice jsonb not null,
  sign boolean not null,
  status text not null default 'pending' check (status in ('pending', 'issued')),
  object_key text,
  filename text,
  log_id bigint,
  attempts integer not null default 0,
  last_error text,
  next_attempt_at timestamptz not null,
  created_at timestamptz(0) not null,
  unique (user_id, series, number)
);
create index issued_invoices_pending on issued_invoices (next_attempt_at) where status = 'pending';
create index issued_invoices_recurring on issued_invoices (recurring_id, id desc);
create index issued_invoices_entry on issued_invoices (entry_id);

create table proposals (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  number text not null,
  client jsonb not null,
  title text not null,
  line_items jsonb not null,
  base_cents bigint not null,
  tax_cents bigint not null,
  irpf_rate numeric(5, 2),
  irpf_cents bigint not null,
  total_cents bigint not null,
  valid_until date,
  status text not null,
  notes text,
  entry_id bigint,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  unique (user_id, number),
  check ((entry_id is not null) = (status = 'converted'))
);
create index proposals_by_user on proposals (user_id, id desc);

create table budget_items (
  user_id bigint not null,
  year integer not null,
  account_code text not null,
  -- 0 is the whole year.
  month smallint not null check (month between 0 and 12),
  amount_cents bigint not null,
  primary key (user_id, year, account_code, month)
);

create table tax_payments (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  model text not null,
  year integer not null,
  period text not null,
  amount_cents bigint not null,
  status text not null,
  due_date date not null,
  paid_at date,
  notes text,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  unique (user_id, model, year, period)
);

-- Objects that nothing refers to any more: deleted by a schedule, after the transaction that let go of them.
create table released_objects (
  object_key text primary key,
  released_at timestamptz(0) not null
);
