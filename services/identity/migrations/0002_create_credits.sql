-- Credits of one account in one calendar month (UTC). `used` counts what is committed and what is reserved.
create table account_usage (
  user_id bigint not null references users on delete cascade,
  period date not null,
  used integer not null default 0 check (used >= 0),
  committed integer not null default 0 check (committed >= 0),
  warned_at timestamptz,
  primary key (user_id, period)
);

-- The same for a key that has a quota of its own.
create table key_usage (
  key_id bigint not null references api_keys on delete cascade,
  period date not null,
  used integer not null default 0 check (used >= 0),
  primary key (key_id, period)
);

create table reservations (
  id text primary key,
  -- The part of the id before its first colon: who is asked before it expires.
  service text not null,
  user_id bigint not null references users on delete cascade,
  -- The key whose own quota it counts against; null when there is none.
  key_id bigint references api_keys on delete cascade,
  subaccount_id bigint references subaccounts on delete cascade,
  on_account boolean not null,
  period date not null,
  credits integer not null check (credits > 0),
  state text not null check (state in ('reserved', 'committed', 'released', 'expired')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  settled_at timestamptz
);
create index reservations_expiring on reservations (expires_at) where state = 'reserved';
create index reservations_settled on reservations (settled_at) where settled_at is not null;
create index reservations_of_subaccounts on reservations (user_id, settled_at)
  where state = 'committed' and subaccount_id is not null;

-- Reserves credits: of the account unless the key is a sandbox key, and of the key where it has a quota of its own.
-- The rows of the two counters are locked in that order, so that racing calls queue and none of them deadlocks.
-- Answers one row: outcome is 'reserved', 'exceeded' or 'gone'; the quota is the one that the call draws on.
create function reserve_credits(
  p_id text, p_user_id bigint, p_key_id bigint, p_credits integer, p_period date,
  p_now timestamptz, p_expires_at timestamptz, p_plan_quotas jsonb
) returns table (outcome text, plan text, quota integer, used integer) language plpgsql as $$
#variable_conflict use_column
declare
  v_plan text;
  v_account_quota integer;
  v_account_used integer;
  v_key_plan text;
  v_key_quota integer;
  v_key_used integer;
  v_subaccount_id bigint;
  v_on_account boolean := true;
  v_own_quota boolean := false;
  v_state text;
begin
  select u.plan into v_plan from users u where u.id = p_user_id;
  if not found then
    return query select 'gone', 'free', 0, 0;
    return;
  end if;
  v_account_quota := (p_plan_quotas ->> v_plan)::integer;
  if p_key_id is not null then
    select k.plan, k.quota, k.subaccount_id into v_key_plan, v_key_quota, v_subaccount_id
      from api_keys k where k.id = p_key_id and k.user_id = p_user_id;
    if not found then
      return query select 'gone', v_plan, 0, 0;
      return;
    end if;
    v_own_quota := v_key_quota is not null;
    v_on_account := v_key_plan <> 'free';
  end if;

  if v_on_account then
    insert into account_usage (user_id, period) values (p_user_id, p_period) on conflict do nothing;
    select a.used into v_account_used from account_usage a
      where a.user_id = p_user_id and a.period = p_period for update;
  end if;
  if v_own_quota then
    insert into key_usage (key_id, period) values (p_key_id, p_period) on conflict do nothing;
    select k.used into v_key_used from key_usage k
      where k.key_id = p_key_id and k.period = p_period for update;
  end if;

  -- Under the locks: of two calls with one id the second one sees what the first one did.
  select r.state into v_state from reservations r where r.id = p_id and r.user_id = p_user_id for update;
  if v_state in ('reserved', 'committed') then
    update reservations r set expires_at = greatest(r.expires_at, p_expires_at)
      where r.id = p_id and r.state = 'reserved';
  elsif (v_on_account and v_account_used + p_credits > v_account_quota)
     or (v_own_quota and v_key_used + p_credits > v_key_quota) then
    return query select 'exceeded', case when v_key_plan = 'free' then 'free' else v_plan end,
      case when v_own_quota then v_key_quota else v_account_quota end,
      case when v_own_quota then v_key_used else v_account_used end;
    return;
  else
    if v_on_account then
      update account_usage a set used = a.used + p_credits where a.user_id = p_user_id and a.period = p_period;
      v_account_used := v_account_used + p_credits;
    end if;
    if v_own_quota then
      update key_usage k set used = k.used + p_credits where k.key_id = p_key_id and k.period = p_period;
      v_key_used := v_key_used + p_credits;
    end if;
    insert into reservations (id, service, user_id, key_id, subaccount_id, on_account, period, credits, state,
                              created_at, expires_at)
      values (p_id, split_part(p_id, ':', 1), p_user_id, case when v_own_quota then p_key_id end, v_subaccount_id,
              v_on_account, p_period, p_credits, 'reserved', p_now, p_expires_at)
      on conflict (id) do update set key_id = excluded.key_id, subaccount_id = excluded.subaccount_id,
        on_account = excluded.on_account, period = excluded.period, credits = excluded.credits, state = 'reserved',
        created_at = excluded.created_at, expires_at = excluded.expires_at, settled_at = null;
  end if;
  return query select 'reserved', case when v_key_plan = 'free' then 'free' else v_plan end,
    case when v_own_quota then v_key_quota else v_account_quota end,
    case when v_own_quota then v_key_used else v_account_used end;
end $$;

-- Settles a reservation: 'commit' keeps the credits, 'release' and 'expire' give them back. Settled already: no effect,
-- except that work which was done after its reservation had expired is charged all the same.
-- Answers whether it had an effect, and whether this was the commit after which the owner is to be warned.
create function settle_credits(
  p_id text, p_outcome text, p_now timestamptz, p_plan_quotas jsonb, p_warn_remaining numeric
) returns table (
  settled boolean, warn boolean, user_id bigint, period date, plan text, quota integer, committed integer
) language plpgsql as $$
#variable_conflict use_column
declare
  r reservations%rowtype;
  v_plan text;
  v_quota integer;
  v_committed integer;
  v_warned_at timestamptz;
  v_warn boolean := false;
  v_late boolean;
begin
  -- The order of locks is that of reserve_credits: the counters first.
  select * into r from reservations x where x.id = p_id;
  if not found then
    return query select false, false, null::bigint, null::date, null::text, 0, 0;
    return;
  end if;
  perform 1 from account_usage a where a.user_id = r.user_id and a.period = r.period for update;
  perform 1 from key_usage k where k.key_id = r.key_id and k.period = r.period for update;
  select * into r from reservations x where x.id = p_id for update;

  v_late := r.state = 'expired' and p_outcome = 'commit';
  if r.state <> 'reserved' and not v_late then
    return query select false, false, r.user_id, r.period, null::text, 0, 0;
    return;
  end if;
  update reservations x set settled_at = p_now,
    state = case p_outcome when 'commit' then 'committed' when 'release' then 'released' else 'expired' end
    where x.id = p_id;
  if r.key_id is not null then
    update key_usage k set used = k.used + case when p_outcome <> 'commit' then -r.credits when v_late then r.credits else 0 end
      where k.key_id = r.key_id and k.period = r.period;
  end if;
  if r.on_account then
    update account_usage a set
      used = a.used + case when p_outcome <> 'commit' then -r.credits when v_late then r.credits else 0 end,
      committed = a.committed + case when p_outcome = 'commit' then r.credits else 0 end
      where a.user_id = r.user_id and a.period = r.period
      returning a.committed, a.warned_at into v_committed, v_warned_at;
    select u.plan into v_plan from users u where u.id = r.user_id;
    v_quota := (p_plan_quotas ->> v_plan)::integer;
    if p_outcome = 'commit' and v_warned_at is null and v_quota - v_committed <= v_quota * p_warn_remaining then
      update account_usage a set warned_at = p_now where a.user_id = r.user_id and a.period = r.period;
      v_warn := true;
    end if;
  end if;
  return query select true, v_warn, r.user_id, r.period, v_plan, v_quota, v_committed;
end $$;
