create index duplicates_by_account on duplicates (user_id, created_at desc, log_id desc);
