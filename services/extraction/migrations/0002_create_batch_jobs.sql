-- Jobs of many files. The truth is here; a message on the bus is only a wake-up.
create table batch_jobs (
  job_id uuid primary key,
  user_id bigint not null,
  key_id bigint,
  subaccount_id bigint,
  sandbox boolean not null,
  status text not null check (status in ('running', 'done', 'failed', 'cancelled')),
  total integer not null,
  processed integer not null default 0,
  failed integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index batch_jobs_user on batch_jobs (user_id, created_at desc);
create index batch_jobs_created on batch_jobs (created_at);

create table batch_items (
  job_id uuid not null references batch_jobs on delete cascade,
  position integer not null,
  user_id bigint not null,
  -- The account's turn: items are taken in this order, so that a job of 500 files and one of 5 go side by side.
  turn bigint not null,
  -- Names the work of this file: log, reservation and event are keyed with it. A new one only after a failed log.
  work_id uuid not null unique,
  filename text not null,
  sha256 text not null,
  size_bytes bigint not null,
  content_type text not null,
  object_key text not null,
  status text not null check (status in ('waiting', 'working', 'ok', 'error', 'cancelled')),
  -- Claims so far, and those that ended with a failed extraction.
  claims integer not null default 0,
  failures integer not null default 0,
  holder uuid,
  lease_until timestamptz,
  next_attempt_at timestamptz not null,
  log_id bigint,
  error_code text,
  error_detail text,
  finished_at timestamptz,
  primary key (job_id, position)
);
create index batch_items_open on batch_items (turn, job_id, position) where status in ('waiting', 'working');
create index batch_items_open_user on batch_items (user_id, turn) where status in ('waiting', 'working');
