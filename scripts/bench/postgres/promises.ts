import { sql } from "drizzle-orm";
import { openServer } from "../../../src/storage/postgres/engine/server.ts";
import { statementsOf } from "../../../src/storage/postgres/engine/statements.ts";

/** Statements of one number, each beside the one whose number it must equal. */
const EQUAL = {
  "usage counter = rows that are not deleted": [
    "select coalesce(sum(memories_stored), 0) as n from tenant_usage",
    "select count(*) as n from memories where deleted_at is null",
  ],
  "rows of each set of readers = rows that are not deleted": [
    "select coalesce(sum(stored), 0) as n from audience_rows",
    "select count(*) as n from memories where deleted_at is null",
  ],
  "keyword entries = rows that are not deleted": [
    "select count(*) as n from memory_words join memories using (tenant_id, seq) where deleted_at is null",
    "select count(*) as n from memories where deleted_at is null",
  ],
  "words counted = words of entries": [
    "select coalesce(sum(stored), 0) as n from word_rows",
    "select coalesce(sum(cardinality(tokens)), 0) as n from memory_words",
  ],
  "rows without a vector = 0": [
    "select count(*) as n from memories where deleted_at is null and embedded_by is null",
    "select 0 as n",
  ],
  "codes = embedded rows that are not deleted": [
    "select count(*) as n from memory_codes join memories using (tenant_id, seq) where deleted_at is null",
    "select count(*) as n from memories where deleted_at is null and embedded_by is not null",
  ],
  "audited creations = rows": [
    "select count(*) as n from audit_log where action = 'memory.create'",
    "select count(*) as n from memories",
  ],
  "audited deletions = deleted rows": [
    "select count(*) as n from audit_log where action = 'memory.delete'",
    "select count(*) as n from memories where deleted_at is not null",
  ],
  "audit entries counted = audit entries": [
    "select coalesce(sum(audit_entries), 0) as n from tenant_usage",
    "select count(*) as n from audit_log",
  ],
  "findings that say the same of the same texts = 0": [
    `select count(*) as n from (select 1 from findings where retracted_at is null
      group by tenant_id, newer_seq, older_seq having count(*) > 1) twice`,
    "select 0 as n",
  ],
  "links counted = links": [
    "select coalesce(sum(links), 0) as n from entity_audiences",
    "select count(*) as n from memory_entities",
  ],
} as const;

/** Holds a database to itself: counters, references and indexes. Returns the promises that it breaks. */
export async function promises(address: string): Promise<string[]> {
  const driver = await openServer(address, 1);
  const { row } = statementsOf(driver.db);
  const number = async (statement: string) => Number((await row<{ n: number }>(sql.raw(statement)))?.n ?? Number.NaN);
  const broken: string[] = [];
  for (const [promise, [left, right]] of Object.entries(EQUAL)) {
    const [a, b] = [await number(left), await number(right)];
    if (a !== b) broken.push(`${promise}: ${a} and ${b}`);
  }
  await driver.close();
  return broken;
}
