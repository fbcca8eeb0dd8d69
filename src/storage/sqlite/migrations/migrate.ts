import type { Database } from "bun:sqlite";
import { AppError } from "../../../core/kernel/errors.ts";

/** One change of shape: statements, or a function where those do not suffice; it runs inside the caller's transaction. */
export type Migration = string | ((db: Database) => void);

/** Brings a data file to the newest shape, all missing steps in one transaction. Refuses a file of a newer Cairn. */
export function migrate(db: Database, steps: readonly Migration[]): void {
  const seen = knownVersion(db, steps);
  if (seen === steps.length) return;
  db.transaction(() => {
    for (const step of steps.slice(seen)) typeof step === "string" ? db.exec(step) : step(db);
    db.exec(`pragma user_version = ${steps.length}`);
  }).immediate();
}

/** Throws unless a data file that cannot be changed has the newest shape already. */
export function requireShape(db: Database, steps: readonly Migration[]): void {
  if (knownVersion(db, steps) === steps.length) return;
  throw new AppError(
    "UNAVAILABLE",
    "The data folder cannot be written, and its data was written by an older Cairn, whose shape this one must change first. Make the folder writable, or start the older version.",
  );
}

function knownVersion(db: Database, steps: readonly Migration[]): number {
  const seen = userVersion(db);
  if (seen <= steps.length) return seen;
  throw new AppError(
    "UNAVAILABLE",
    `This data was written by a newer Cairn (shape ${seen}, this one knows ${steps.length}). Start the newer version, or choose another folder with --data.`,
  );
}

/** How many steps a file has seen. */
export function userVersion(db: Database): number {
  const row = db.query<{ user_version: number }, []>("pragma user_version").get();
  return row?.user_version ?? 0;
}
