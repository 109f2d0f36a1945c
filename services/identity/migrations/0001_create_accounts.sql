create table users (
  id bigint generated always as identity primary key,
  -- As it was typed; the canonical form, all in lower case, is what makes it unique.
  email text not null,
  email_canonical text not null unique,
  -- Null for an account that only ever signed in through a provider.
  password_hash text,
  full_name text not null,
  company text,
  locale text not null default 'es' check (locale in ('es', 'en')),
  plan text not null default 'free' check (plan in ('free', 'starter', 'pro', 'business')),
  ledger_plan text check (ledger_plan in ('contab_basic', 'contab_pro', 'contab_business')),
  email_verified_at timestamptz,
  suspended_at timestamptz,
  -- Tokens carry the epoch in which they were made; raising it ends them all.
  token_epoch integer not null default 0,
  rate_per_minute integer check (rate_per_minute > 0),
  trial_ends_at timestamptz not null,
  trial_reminded_at timestamptz,
  google_subject text unique,
  stripe_customer_id text,
  created_at timestamptz not null
);
create index users_trial_reminder on users (trial_ends_at) where trial_reminded_at is null;

-- Single-use tokens of mails. Only the SHA-256 of a token is kept.
create table mail_tokens (
  token_hash bytea primary key,
  -- Null for a decoy, written for an unknown address so that both cases do the same work.
  user_id bigint references users on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset')),
  -- What a registration asked for: applied only when its own token comes back.
  password_hash text,
  full_name text,
  company text,
  locale text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_tokens_user on mail_tokens (user_id, purpose);
create index mail_tokens_expiry on mail_tokens (expires_at);

-- Wrong logins and mails asked for, per address and per IP (both hashed), known or not.
create table attempts (
  subject bytea primary key,
  failures integer not null,
  last_failed_at timestamptz not null,
  next_allowed_at timestamptz not null
);
create index attempts_age on attempts (last_failed_at);

create table subaccounts (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text not null,
  slug text not null,
  notes text,
  created_at timestamptz not null,
  deleted_at timestamptz,
  unique (user_id, slug)
);

create table api_keys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  subaccount_id bigint references subaccounts on delete cascade,
  name text not null,
  plan text not null check (plan in ('free', 'pro')),
  -- SHA-256 of the whole key.
  key_hash bytea not null unique,
  prefix text not null,
  -- Credits a month of its own; null for a key that draws on the account alone.
  quota integer check (quota >= 0),
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  check (subaccount_id is null or quota is not null)
);
create index api_keys_user on api_keys (user_id);
create index api_keys_subaccount on api_keys (subaccount_id) where subaccount_id is not null;

-- Events of the payment provider that were applied.
create table stripe_events (
  id text primary key,
  type text not null,
  applied_at timestamptz not null
);

create table subscriptions (
  id text primary key,
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('plan', 'ledger_plan')),
  plan text not null,
  started_at timestamptz not null,
  -- Set by a cancellation, which may arrive before the start.
  ended_at timestamptz
);
create index subscriptions_user on subscriptions (user_id, kind);

-- What operators did: append-only.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  operator text not null,
  action text not null,
  user_id bigint,
  before jsonb,
  after jsonb
);
revoke update, delete on audit_log from asiento_identity_app;
