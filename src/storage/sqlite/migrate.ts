import type { Database } from "bun:sqlite";
import { AppError } from "../../kernel/errors.ts";

/** Brings a data file to the newest shape, all missing steps in one transaction. Refuses a file of a newer Cairn. */
export function migrate(db: Database, steps: readonly string[]): void {
  const seen = userVersion(db);
  if (seen > steps.length) {
    throw new AppError(
      "UNAVAILABLE",
      `This data was written by a newer Cairn (shape ${seen}, this one knows ${steps.length}). Start the newer version, or choose another folder with --data.`,
    );
  }
  if (seen === steps.length) return;
  db.transaction(() => {
    for (const step of steps.slice(seen)) db.exec(step);
    db.exec(`pragma user_version = ${steps.length}`);
  }).immediate();
}

function userVersion(db: Database): number {
  const row = db.query<{ user_version: number }, []>("pragma user_version").get();
  return row?.user_version ?? 0;
}
