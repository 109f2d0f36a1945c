-- Everything that judging an invoice needs, in one call: locks, look-ups by index, what is remembered. Each statement
-- of a function in a READ COMMITTED transaction sees what others committed before it, so that after the locks are
-- held, a copy that was being judged at the same moment is visible.
create function assess_invoice(
  p_user bigint, p_subaccount bigint, p_key bigint, p_log bigint, p_keep boolean,
  p_file bytea, p_vendor text, p_vat text, p_name text, p_number_key text, p_number text,
  p_total bigint, p_date date, p_iban text
) returns jsonb language plpgsql as $$
declare
  v_seq bigint;
  v_lock bigint;
  v_candidates jsonb;
  v_vendor record;
  v_trust jsonb;
  v_shared text;
begin
  if p_keep then
    -- Two copies of one invoice share at least one of these; sorted, so that no two calls wait for each other.
    for v_lock in
      select distinct hashtextextended(concat_ws('|', p_user, p_subaccount, part), 7)
      from unnest(array[
        'f' || encode(p_file, 'hex'),
        case when p_number_key is not null then 'n' || p_number_key end,
        case when p_total is not null and p_date is not null then concat('a', p_total, '|', p_date) end
      ]) part
      where part is not null order by 1
    loop
      perform pg_advisory_xact_lock(v_lock);
    end loop;
    insert into invoices (log_id, user_id, subaccount_id, key_id, file_sha256, vendor_key, vendor_name, number_key,
      invoice_number, total_cents, invoice_date)
    values (p_log, p_user, p_subaccount, p_key, p_file, p_vendor, p_name, p_number_key, p_number, p_total, p_date)
    on conflict (log_id) do update set file_sha256 = excluded.file_sha256, vendor_key = excluded.vendor_key,
      vendor_name = excluded.vendor_name, number_key = excluded.number_key, invoice_number = excluded.invoice_number,
      total_cents = excluded.total_cents, invoice_date = excluded.invoice_date
    returning seq into v_seq;
  end if;

  select jsonb_agg(to_jsonb(earlier)) into v_candidates from (
    select * from (
      (select i.log_id, i.seq, true as same_file, i.vendor_key, i.vendor_name, i.number_key, i.invoice_number,
         i.total_cents, i.invoice_date
       from invoices i
       where i.user_id = p_user and i.subaccount_id = p_subaccount and i.file_sha256 = p_file limit 30)
      union all
      (select i.log_id, i.seq, false, i.vendor_key, i.vendor_name, i.number_key, i.invoice_number, i.total_cents,
         i.invoice_date
       from invoices i
       where i.user_id = p_user and i.subaccount_id = p_subaccount and i.number_key = p_number_key
         and i.vendor_key = p_vendor limit 30)
      union all
      (select i.log_id, i.seq, false, i.vendor_key, i.vendor_name, i.number_key, i.invoice_number, i.total_cents,
         i.invoice_date
       from invoices i
       where i.user_id = p_user and i.subaccount_id = p_subaccount and i.total_cents = p_total
         and i.invoice_date = p_date and i.vendor_key = p_vendor limit 30)
      union all
      (select i.log_id, i.seq, false, i.vendor_key, i.vendor_name, i.number_key, i.invoice_number, i.total_cents,
         i.invoice_date
       from invoices i
       where i.user_id = p_user and i.subaccount_id = p_subaccount and i.total_cents = p_total
         and i.invoice_date = p_date limit 60)
    ) every
    where every.log_id <> p_log and (v_seq is null or every.seq < v_seq)
  ) earlier;

  if p_vat is not null then
    if p_keep then
      insert into vendors (user_id, subaccount_id, vendor_vat, vendor_name, trusted_iban, source, first_log_id)
      values (p_user, p_subaccount, p_vat, p_name, p_iban,
        case when p_iban is not null then 'first_seen' end, case when p_iban is not null then p_log end)
      on conflict (user_id, subaccount_id, vendor_vat) do update set
        last_seen = now(),
        vendor_name = coalesce(vendors.vendor_name, excluded.vendor_name),
        trusted_iban = coalesce(vendors.trusted_iban, excluded.trusted_iban),
        source = coalesce(vendors.source, excluded.source),
        first_log_id = case when vendors.trusted_iban is null then excluded.first_log_id else vendors.first_log_id end
      returning trusted_iban, first_log_id into v_vendor;
    else
      select trusted_iban, first_log_id into v_vendor from vendors
      where user_id = p_user and subaccount_id = p_subaccount and vendor_vat = p_vat;
    end if;
    v_trust := jsonb_build_object('trusted_iban', v_vendor.trusted_iban,
      'first', v_vendor.trusted_iban is null or v_vendor.first_log_id is not distinct from p_log);
    if p_iban is not null then
      select vendor_vat into v_shared from vendors
      where user_id = p_user and subaccount_id = p_subaccount and trusted_iban = p_iban and vendor_vat <> p_vat limit 1;
    end if;
  end if;

  return jsonb_build_object(
    'candidates', coalesce(v_candidates, '[]'),
    'trust', v_trust,
    'shared_with', v_shared,
    'dismissed', coalesce((select jsonb_agg(original_log_id) from duplicates
      where log_id = p_log and status = 'dismissed'), '[]'),
    'learned', (select account_code from learned_categories
      where user_id = p_user and subaccount_id = p_subaccount and vendor_vat = p_vat),
    'vies', (select jsonb_build_object('registered', registered,
        'age_seconds', extract(epoch from now() - asked_at)::bigint)
      from vies_verdicts where vat = p_vat));
end $$;
