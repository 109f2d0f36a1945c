-- Failures are few; without their own index the history's filter walks every log of the account.
create index logs_user_error on logs (user_id, id desc) where status = 'error';
