-- Requests with an idempotency key: claimed before the work, kept with their answer for 24 hours.
create table idempotency (
  -- SHA-256 of account, key, method, path and header.
  scope bytea primary key,
  user_id bigint not null,
  request_hash bytea not null,
  -- Names the work, so that a second holder does nothing twice.
  work_id uuid not null,
  state text not null check (state in ('running', 'done')),
  holder uuid not null,
  lease_until timestamptz not null,
  status integer,
  content_type text,
  body bytea,
  -- Logs that the answer speaks of: erasing one frees the key.
  log_ids bigint[] not null default '{}',
  created_at timestamptz not null default now()
);
create index idempotency_created on idempotency (created_at);
create index idempotency_logs on idempotency using gin (log_ids);

-- Request logs, a partition a day: old ones are dropped whole.
create table request_logs (
  id bigint generated always as identity,
  created_at timestamptz not null,
  request_id text not null,
  user_id bigint,
  key_id bigint,
  subaccount_id bigint,
  method text not null,
  path text not null,
  status_code integer not null,
  duration_ms integer not null,
  sandbox boolean not null,
  error_code text,
  ip text
) partition by range (created_at);
create index request_logs_user on request_logs (user_id, created_at desc, id desc);
create index request_logs_key on request_logs (key_id, created_at desc, id desc) where key_id is not null;

-- The application role may not create tables; this function may, and does only this.
create function keep_request_log_partitions(today date, days_ahead integer, days_kept integer) returns void
language plpgsql security definer set search_path = gateway, public as $$
declare
  day date;
  old record;
begin
  perform pg_advisory_xact_lock(hashtext('gateway.request_logs'));
  for day in select generate_series(today - 1, today + days_ahead, interval '1 day')::date loop
    execute format(
      'create table if not exists %I partition of request_logs for values from (%L) to (%L)',
      'request_logs_' || to_char(day, 'YYYYMMDD'), day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
  end loop;
  for old in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    join pg_namespace n on n.oid = p.relnamespace
    where p.relname = 'request_logs' and n.nspname = 'gateway'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < today - days_kept
  loop
    execute format('drop table %I', old.relname);
  end loop;
end $$;
revoke all on function keep_request_log_partitions(date, integer, integer) from public;
grant execute on function keep_request_log_partitions(date, integer, integer) to asiento_gateway_app;
