/** What memories claim, what the detector has looked at, and what it found; rows that were there before are to be read. */
export const detection = `
  create table memory_claims (
    tenant_id text not null,
    fleet_id text not null,
    subject_key text not null,
    predicate text not null,
    memory_seq integer not null references memories (seq),
    primary key (tenant_id, fleet_id, subject_key, predicate, memory_seq)
  ) strict, without rowid;
  create index memory_claims_by_memory on memory_claims (memory_seq);

  create table memory_checks (
    memory_seq integer primary key references memories (seq),
    content_hash text,
    checked_at text,
    embedded integer not null,
    former_status text
  ) strict;

  create table findings (
    id integer primary key,
    newer_seq integer not null references memories (seq),
    older_seq integer not null references memories (seq),
    newer_hash text not null,
    older_hash text not null,
    status text not null,
    rule text not null,
    confidence real not null,
    newer_start integer not null,
    newer_end integer not null,
    older_start integer not null,
    older_end integer not null,
    created_at text not null,
    retracted_at text,
    retracted_why text
  ) strict;
  create unique index findings_open on findings (older_seq, newer_seq) where retracted_at is null;
  create index findings_by_older on findings (older_seq);
  create index findings_by_newer on findings (newer_seq);

  insert into jobs (kind, payload, run_after, attempt)
  select 'understand_memories', json_object('tenant_id', tenant_id, 'memory_ids', json_group_array(id)), 0, 0
  from (
    select tenant_id, id, (row_number() over (partition by tenant_id order by seq) - 1) / 100 as part
    from memories where deleted_at is null
  )
  group by tenant_id, part;
`;
