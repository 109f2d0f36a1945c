-- How many logs an account has, so that a history of a million is counted and paged without reading it. Kept by triggers in
-- the transaction of each change. Ids are counted in blocks of 65,536, so that a page far down is found by its block.
create table log_counts (
  user_id bigint not null,
  -- 0 stands for none: a key of a primary key cannot be null.
  subaccount_id bigint not null,
  key_id bigint not null,
  status text not null,
  -- Of created_at, in UTC, as the history's filters are.
  day date not null,
  block bigint not null,
  -- Sessions count in rows of their own, so that they do not wait for each other; only sums mean anything.
  shard smallint not null,
  logs bigint not null,
  primary key (user_id, subaccount_id, key_id, status, day, block, shard)
);

insert into log_counts
select user_id, coalesce(subaccount_id, 0), coalesce(key_id, 0), status, (created_at at time zone 'UTC')::date, id >> 16, 0, count(*)
from logs where status <> 'running' group by 1, 2, 3, 4, 5, 6;

create function count_logs_added() returns trigger language plpgsql as $$
begin
  insert into log_counts as kept
  select user_id, coalesce(subaccount_id, 0), coalesce(key_id, 0), status, (created_at at time zone 'UTC')::date, id >> 16,
    pg_backend_pid() % 4, count(*)
  from added where status <> 'running' group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  on conflict (user_id, subaccount_id, key_id, status, day, block, shard) do update set logs = kept.logs + excluded.logs;
  return null;
end $$;
create function count_logs_removed() returns trigger language plpgsql as $$
begin
  insert into log_counts as kept
  select user_id, coalesce(subaccount_id, 0), coalesce(key_id, 0), status, (created_at at time zone 'UTC')::date, id >> 16,
    pg_backend_pid() % 4, -count(*)
  from removed where status <> 'running' group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  on conflict (user_id, subaccount_id, key_id, status, day, block, shard) do update set logs = kept.logs + excluded.logs;
  return null;
end $$;
-- What changes neither status nor owner changes no count.
create function count_logs_changed() returns trigger language plpgsql as $$
begin
  insert into log_counts as kept
  select user_id, coalesce(subaccount_id, 0), coalesce(key_id, 0), status, (created_at at time zone 'UTC')::date, id >> 16,
    pg_backend_pid() % 4, sum(change)
  from (select user_id, subaccount_id, key_id, status, created_at, id, 1 as change from added
    union all select user_id, subaccount_id, key_id, status, created_at, id, -1 from removed) as changes
  where status <> 'running' group by 1, 2, 3, 4, 5, 6 having sum(change) <> 0 order by 1, 2, 3, 4, 5, 6
  on conflict (user_id, subaccount_id, key_id, status, day, block, shard) do update set logs = kept.logs + excluded.logs;
  return null;
end $$;
create trigger logs_added after insert on logs
  referencing new table as added for each statement execute function count_logs_added();
create trigger logs_removed after delete on logs
  referencing old table as removed for each statement execute function count_logs_removed();
create trigger logs_changed after update on logs
  referencing old table as removed new table as added for each statement execute function count_logs_changed();
