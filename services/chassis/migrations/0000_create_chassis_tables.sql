-- Outbox: events of this service, written in the transaction of their cause and sent by the relay.
create table outbox (
  id bigint generated always as identity primary key,
  event_id uuid not null unique,
  name text not null,
  key text not null,
  payload jsonb not null,
  trace jsonb not null default '{}',
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
-- The relay picks rows by state and never by cursor, because ids become visible out of order.
create index outbox_unsent on outbox (id) where sent_at is null;
create index outbox_sent on outbox (sent_at) where sent_at is not null;

-- Inbox: ids of events that a consumer group has applied, in the transaction of their effect.
create table inbox (
  group_name text not null,
  event_id uuid not null,
  applied_at timestamptz not null default now(),
  primary key (group_name, event_id)
);
create index inbox_applied on inbox (applied_at);

-- Events that a consumer could not apply after all attempts; an operator looks at them and replays them.
create table dead_letters (
  id bigint generated always as identity primary key,
  group_name text not null,
  event_id uuid not null,
  name text not null,
  key text not null,
  message jsonb not null,
  error text not null,
  attempts integer not null,
  created_at timestamptz not null default now(),
  replayed_at timestamptz,
  unique (group_name, event_id)
);
