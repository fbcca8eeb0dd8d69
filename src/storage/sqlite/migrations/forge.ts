/** What the Forge did, and when. */
export const forge = `
  create table forge_runs (
    seq integer primary key,
    id text not null unique,
    tenant_id text not null,
    fleet_id text,
    trigger text not null,
    audit_id integer not null,
    requested_at text not null,
    started_at text,
    finished_at text,
    traces integer not null,
    successes integer not null,
    failures integer not null,
    unknown integer not null,
    clusters text not null,
    written integer not null,
    skipped integer not null,
    error text
  ) strict;
  create index forge_runs_by_tenant on forge_runs (tenant_id, seq);
`;
