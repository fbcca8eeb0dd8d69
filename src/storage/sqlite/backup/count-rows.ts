import type { Database } from "bun:sqlite";

/** Tables whose rows a manifest counts: what a person would miss. */
const COUNTED = ["memories", "documents", "entities", "relations", "findings", "audit_log"] as const;

/** How many rows those tables have. */
export function countRows(db: Database): Record<string, number> {
  const count = (table: string): number =>
    db.query<{ rows: number }, []>(`select count(*) as rows from ${table}`).get()?.rows ?? 0;
  return Object.fromEntries(COUNTED.map((table) => [table, count(table)]));
}
