-- One row a mail. Sent ones are kept for a while so that a request that comes again is known.
create table mails (
  -- Given by whoever asks: a second request with the same id is the same mail.
  mail_id text primary key,
  recipient text not null,
  locale text not null check (locale in ('es', 'en')),
  template text not null,
  -- Emptied once the mail is out: links in it carry tokens.
  data jsonb not null,
  -- in_doubt: the server had the whole message and its answer was lost. It is never sent again.
  status text not null default 'queued' check (status in ('queued', 'handing_over', 'sent', 'in_doubt', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  lease_until timestamptz,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index mails_due on mails (next_attempt_at) where status in ('queued', 'handing_over');
create index mails_old on mails (created_at) where status not in ('queued', 'handing_over');
