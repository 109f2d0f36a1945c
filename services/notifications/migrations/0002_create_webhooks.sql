create table webhooks (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  url text not null,
  events text[] not null,
  active boolean not null default true,
  -- The account's plan has no webhooks at the moment.
  paused boolean not null default false,
  disabled_reason text check (disabled_reason in ('failing', 'gone')),
  -- Since when no attempt has succeeded; null after a success.
  failing_since timestamptz,
  -- Secrets in envelopes (kid, wrapped_key, sealed as base64).
  secret jsonb not null,
  previous_secret jsonb,
  previous_until timestamptz,
  created_at timestamptz not null
);
create index webhooks_user on webhooks (user_id, id);

-- The delivery log and the queue in one: a row is what a receiver sees under X-Factura-Delivery.
create table deliveries (
  -- Follows from webhook and event, so that an event that comes again finds its delivery; that of a test is random.
  id uuid primary key,
  seq bigint generated always as identity,
  webhook_id bigint not null references webhooks on delete cascade,
  event text not null,
  event_id uuid not null,
  -- First attempts of one webhook and one invoice go out in the order of seq.
  order_key text not null,
  -- The exact bytes that are signed.
  body text not null,
  test boolean not null default false,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- Attempts in the present round of the schedule; a redelivery begins a new one.
  tries integer not null default 0,
  next_attempt_at timestamptz not null,
  holder uuid,
  lease_until timestamptz,
  response_status integer,
  duration_ms integer,
  last_error text,
  created_at timestamptz not null
  -- Room in each page: a claim changes no indexed column and then touches no index.
) with (fillfactor = 50);
create index deliveries_due on deliveries (webhook_id, next_attempt_at, seq) where status = 'pending';
create index deliveries_order on deliveries (webhook_id, order_key, seq) where status = 'pending';
create index deliveries_log on deliveries (webhook_id, seq desc);
create index deliveries_old on deliveries using brin (created_at);
