-- Movements of imported statements by fingerprint: the same movement is never imported twice, and settles one entry.
create table bank_movements (
  user_id bigint not null,
  id text not null,
  date date not null,
  amount_cents bigint not null,
  description text not null,
  entry_id bigint,
  imported_at timestamptz(0) not null,
  primary key (user_id, id)
);

-- Which column is what, for CSV layouts that their owner had to explain.
create table statement_mappings (
  user_id bigint not null,
  layout_key text not null,
  mapping jsonb not null,
  primary key (user_id, layout_key)
);
