-- What deliveries say, once an event, however many webhooks hear of it.
create table events (
  id uuid primary key,
  seq bigint generated always as identity,
  user_id bigint not null,
  event text not null,
  -- First attempts of one account's events with one key go out to a webhook in the order of seq.
  order_key text not null,
  -- The exact bytes that are signed.
  body text not null,
  test boolean not null default false,
  created_at timestamptz not null
);
create index events_order on events (user_id, order_key, seq);
create index events_old on events using brin (created_at);

insert into events (id, user_id, event, order_key, body, test, created_at)
select event_id, user_id, event, order_key, body, test, created_at
from (
  select distinct on (d.event_id) d.event_id, d.seq, w.user_id, d.event, d.order_key, d.body, d.test, d.created_at
  from deliveries d join webhooks w on w.id = d.webhook_id
  order by d.event_id, d.seq
) as first
order by seq;

-- A row costs a statement's share and a few index entries: no foreign key (whoever writes holds the webhooks' rows), and a
-- key in which the deliveries of an event lie together.
drop index deliveries_order;
drop index deliveries_log;
drop index deliveries_old;
alter table deliveries
  drop constraint deliveries_pkey,
  drop constraint deliveries_webhook_id_fkey,
  drop column event,
  drop column order_key,
  drop column body,
  drop column test,
  drop column created_at,
  add primary key (event_id, webhook_id);
create unique index deliveries_log on deliveries (webhook_id, seq);
