import { TEXT } from "./base/text.ts";

/** A job a tenant has what an earlier judge found judged anew, beside the calls of others. */
const queued = `insert into jobs (tenant_id, kind, payload, run_after, attempt, rank)
    select tenant_id, 'rejudge_memories',
      json_build_object('tenant_id', tenant_id, 'from', json_build_object('table', 'findings', 'number', null))::text,
      0, 0, 3
    from (select distinct tenant_id from memories) tenants`;

/** What the first judge found is judged anew. What people said to stand is looked up. */
export const judgedAnew: readonly string[] = [
  `alter table findings add column why ${TEXT}`,
  "create index findings_said_to_stand on findings (tenant_id, reviewed_at) where review = 'both_stand'",
  "create index findings_to_judge on findings (tenant_id, id) where retracted_at is null and review is null",
  queued,
];

/** What the judge of English found is judged anew by that of a hundred languages. */
export const judgedInAnyLanguage: readonly string[] = ["delete from jobs where kind = 'rejudge_memories'", queued];
