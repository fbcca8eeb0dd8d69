import type { Database } from "bun:sqlite";
import type { Brought } from "../../../core/schema/keeping/backup.ts";
import { KEYSTONES } from "../../../core/schema/keystone.ts";
import { SKILLS } from "../../../core/schema/skill.ts";

/** What a data file of any shape brings that is obeyed once it is served. */
export function countBrought(db: Database): Brought {
  const count = (where: string, ...values: string[]): number =>
    db.query<{ rows: number }, string[]>(`select count(*) as rows from ${where}`).get(...values)?.rows ?? 0;
  // Files of before approvals have none, whatever their skills say.
  const knowsApprovals = count("pragma_table_info('documents') where name = 'approval'") > 0;
  return {
    keys: count("api_keys where revoked_at is null"),
    rules: count("documents where collection = ?", KEYSTONES),
    approved_skills: knowsApprovals ? count("documents where collection = ? and approval is not null", SKILLS) : 0,
  };
}
