/**
 * What was decided about findings, by tenant. Of what callers undid before, the last finding of a pair of texts counts as decided, unless the
 * pair has one that stands. Replies to decisions are looked up by both of their rows when these are erased.
 */
export const reviews = `
  alter table findings add column tenant_id text not null default '';
  alter table findings add column detected_status text;
  alter table findings add column review text;
  alter table findings add column reviewed_at text;
  alter table findings add column reviewed_by text;
  update findings set tenant_id = (select tenant_id from memories where seq = findings.newer_seq);
  update findings set review = 'both_stand', reviewed_at = retracted_at
  where retracted_why = 'undone' and not exists (
    select 1 from findings other where other.older_seq = findings.older_seq and other.newer_seq = findings.newer_seq
      and (other.retracted_at is null or (other.retracted_why = 'undone' and other.id > findings.id
        and other.newer_hash = findings.newer_hash and other.older_hash = findings.older_hash)));
  create index findings_to_review on findings (tenant_id, created_at) where retracted_at is null or review is not null;
  create index kept_replies_by_newer on kept_replies (case when json_valid(body) then body ->> '$.newer.id' end)
    where body is not null;
  create index kept_replies_by_older on kept_replies (case when json_valid(body) then body ->> '$.older.id' end)
    where body is not null;
`;
