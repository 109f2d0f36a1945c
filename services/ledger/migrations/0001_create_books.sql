-- The books of an account: where its journal stands. Every write to an account's books locks this row first, so that
-- the numbers of the journal have no gaps and no two writers of one account can deadlock.
create table books (
  user_id bigint primary key,
  last_id bigint not null default 0,
  last_hash text not null default repeat('0', 64)
);

create table entries (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  type text not null check (type in ('income', 'expense')),
  status text not null check (status = 'pending' or status = case type when 'income' then 'collected' else 'paid' end),
  date date not null,
  due_date date,
  concept text not null,
  counterparty_name text,
  counterparty_vat text,
  invoice_number text,
  base_cents bigint not null check (base_cents <> 0),
  tax_rate numeric(5, 2),
  tax_cents bigint not null,
  irpf_rate numeric(5, 2),
  irpf_cents bigint not null,
  total_cents bigint not null check (total_cents = base_cents + tax_cents + irpf_cents and total_cents <> 0),
  tax_lines jsonb not null default '[]',
  account_code text not null,
  payment_method text,
  paid_at date check ((paid_at is null) = (status = 'pending')),
  notes text,
  source text not null,
  log_id bigint,
  recurring_id bigint,
  occurrence_date date,
  attachment jsonb,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  -- What a search looks at, without case and accents.
  search text not null generated always as (
    translate(
      lower(concept || ' ' || coalesce(counterparty_name, '') || ' ' || coalesce(counterparty_vat, '') || ' ' || coalesce(invoice_number, '')),
      'áàâäãåéèêëíìîïóòôöõúùûüñçÁÀÂÄÃÅÉÈÊËÍÌÎÏÓÒÔÖÕÚÙÛÜÑÇ',
      'aaaaaaeeeeiiiiooooouuuuncaaaaaaeeeeiiiiooooouuuunc')
  ) stored
);
create index entries_by_date on entries (user_id, date desc, id desc) include (type, total_cents);
create index entries_pending on entries (user_id, type, total_cents, date) where status = 'pending';
create index entries_pending_by_date on entries (user_id, date) include (type, total_cents) where status = 'pending';
create index entries_pending_by_due on entries (user_id, type, (coalesce(due_date, date))) include (total_cents)
  where status = 'pending';
create index entries_by_account on entries (user_id, account_code, date);
create unique index entries_log on entries (user_id, log_id) where log_id is not null;
create unique index entries_occurrence on entries (recurring_id, occurrence_date) where recurring_id is not null;
create extension if not exists btree_gin with schema public;
create index entries_search on entries using gin (user_id, search public.gin_trgm_ops);

-- Counts and sums of entries by month, so that a list of ten years answers as fast as one of a quarter.
create table entry_months (
  user_id bigint not null,
  month date not null,
  type text not null,
  entries bigint not null,
  base_cents numeric not null,
  tax_cents numeric not null,
  irpf_cents numeric not null,
  total_cents numeric not null,
  primary key (user_id, month, type)
);
-- Pending entries by the month in which they fall due.
create table pending_months (
  user_id bigint not null,
  month date not null,
  type text not null,
  entries bigint not null,
  total_cents numeric not null,
  primary key (user_id, month, type)
);

create function count_entries_added() returns trigger language plpgsql as $$
begin
  insert into entry_months as kept
  select user_id, date_trunc('month', date)::date, type, count(*), sum(base_cents), sum(tax_cents), sum(irpf_cents), sum(total_cents)
  from added group by 1, 2, 3
  on conflict (user_id, month, type) do update
    set entries = kept.entries + excluded.entries, base_cents = kept.base_cents + excluded.base_cents,
      tax_cents = kept.tax_cents + excluded.tax_cents, irpf_cents = kept.irpf_cents + excluded.irpf_cents,
      total_cents = kept.total_cents + excluded.total_cents;
  insert into pending_months as kept
  select user_id, date_trunc('month', coalesce(due_date, date))::date, type, count(*), sum(total_cents)
  from added where status = 'pending' group by 1, 2, 3
  on conflict (user_id, month, type) do update
    set entries = kept.entries + excluded.entries, total_cents = kept.total_cents + excluded.total_cents;
  return null;
end $$;
create function count_entries_removed() returns trigger language plpgsql as $$
begin
  insert into entry_months as kept
  select user_id, date_trunc('month', date)::date, type, -count(*), -sum(base_cents), -sum(tax_cents), -sum(irpf_cents), -sum(total_cents)
  from removed group by 1, 2, 3
  on conflict (user_id, month, type) do update
    set entries = kept.entries + excluded.entries, base_cents = kept.base_cents + excluded.base_cents,
      tax_cents = kept.tax_cents + excluded.tax_cents, irpf_cents = kept.irpf_cents + excluded.irpf_cents,
      total_cents = kept.total_cents + excluded.total_cents;
  insert into pending_months as kept
  select user_id, date_trunc('month', coalesce(due_date, date))::date, type, -count(*), -sum(total_cents)
  from removed where status = 'pending' group by 1, 2, 3
  on conflict (user_id, month, type) do update
    set entries = kept.entries + excluded.entries, total_cents = kept.total_cents + excluded.total_cents;
  return null;
end $$;
create trigger entries_added after insert on entries
  referencing new table as added for each statement execute function count_entries_added();
create trigger entries_removed after delete on entries
  referencing old table as removed for each statement execute function count_entries_removed();
-- A change is a removal and an addition.
create trigger entries_changed_from after update on entries
  referencing old table as removed for each statement execute function count_entries_removed();
create trigger entries_changed_to after update on entries
  referencing new table as added for each statement execute function count_entries_added();

-- The journal. Append-only: the application may only insert and read, and a trigger refuses everybody else.
create table journal_transactions (
  user_id bigint not null,
  -- Counts from 1 within the account, without gaps.
  id bigint not null,
  kind text not null check (kind in ('accrual', 'settlement', 'reversal')),
  date date not null,
  entry_id bigint not null,
  concept text not null,
  previous_hash text not null,
  hash text not null,
  created_at timestamptz(0) not null,
  primary key (user_id, id)
);
create index journal_transactions_by_date on journal_transactions (user_id, date desc, id desc);
create index journal_transactions_by_entry on journal_transactions (user_id, entry_id);

create table journal_lines (
  user_id bigint not null,
  transaction_id bigint not null,
  position smallint not null,
  date date not null,
  account_code text not null,
  debit_cents bigint not null,
  credit_cents bigint not null,
  primary key (user_id, transaction_id, position),
  check (debit_cents >= 0 and credit_cents >= 0 and (debit_cents = 0) <> (credit_cents = 0))
);
create index journal_lines_by_date on journal_lines (user_id, date, account_code) include (debit_cents, credit_cents);

create table journal_months (
  user_id bigint not null,
  month date not null,
  account_code text not null,
  debit_cents numeric not null,
  credit_cents numeric not null,
  primary key (user_id, month, account_code)
);
create table journal_month_counts (
  user_id bigint not null,
  month date not null,
  transactions bigint not null,
  primary key (user_id, month)
);

create function balance_journal_lines() returns trigger language plpgsql as $$
begin
  if exists (select from added group by user_id, transaction_id having sum(debit_cents) <> sum(credit_cents)) then
    raise exception 'a journal transaction must balance' using errcode = 'check_violation';
  end if;
  insert into journal_months as kept (user_id, month, account_code, debit_cents, credit_cents)
  select user_id, date_trunc('month', date)::date, account_code, sum(debit_cents), sum(credit_cents)
  from added group by 1, 2, 3
  on conflict (user_id, month, account_code) do update
    set debit_cents = kept.debit_cents + excluded.debit_cents, credit_cents = kept.credit_cents + excluded.credit_cents;
  return null;
end $$;
create trigger journal_lines_balance after insert on journal_lines
  referencing new table as added for each statement execute function balance_journal_lines();

create function count_journal_transactions() returns trigger language plpgsql as $$
begin
  insert into journal_month_counts as kept (user_id, month, transactions)
  select user_id, date_trunc('month', date)::date, count(*) from added group by 1, 2
  on conflict (user_id, month) do update set transactions = kept.transactions + excluded.transactions;
  return null;
end $$;
create trigger journal_transactions_count after insert on journal_transactions
  referencing new table as added for each statement execute function count_journal_transactions();

create function refuse_journal_change() returns trigger language plpgsql as $$
begin
  raise exception 'the journal is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger journal_transactions_append_only before update or delete or truncate on journal_transactions
  for each statement execute function refuse_journal_change();
create trigger journal_lines_append_only before update or delete or truncate on journal_lines
  for each statement execute function refuse_journal_change();

do $$
begin
  execute format('revoke update, delete, truncate on journal_transactions, journal_lines from %I',
    'asiento_' || current_schema() || '_app');
end $$;
