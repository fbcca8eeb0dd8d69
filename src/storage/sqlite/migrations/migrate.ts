import type { Database } from "bun:sqlite";
import { AppError } from "../../../core/kernel/errors.ts";
import { RELEASE } from "../../../version.ts";

/** One change of shape: statements, or a function where those do not suffice; it runs inside the caller's transaction. */
export type Migration = string | ((db: Database) => void);

/**
 * Brings a data file to the newest shape, all missing steps in one transaction; `before` is called first where it has one
 * already. Refuses a file of a newer Cairn.
 */
export function migrate(db: Database, steps: readonly Migration[], before: (shape: number) => void = () => {}): void {
  const seen = knownVersion(db, steps);
  if (seen === steps.length) return;
  if (seen > 0) before(seen);
  db.transaction(() => {
    for (const step of steps.slice(seen)) typeof step === "string" ? db.exec(step) : step(db);
    db.exec(`pragma user_version = ${steps.length}`);
    if (hasReleases(db)) db.query("insert or replace into releases values (?, ?)").run(steps.length, RELEASE);
  }).immediate();
}

const hasReleases = (db: Database): boolean =>
  db.query("select 1 from sqlite_schema where name = 'releases'").get() !== null;

/** "0.2.0, ": the release that brought a file to its shape; empty where it does not say. */
function writtenBy(db: Database): string {
  if (!hasReleases(db)) return "";
  const last = db.query<{ release: string }, []>("select release from releases order by shape desc limit 1").get();
  return last ? `${last.release}, ` : "";
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
    `This data was written by a newer Cairn (${writtenBy(db)}shape ${seen}; this one, ${RELEASE}, knows ${steps.length}). Start the newer version, or choose another folder with --data.`,
  );
}

/** How many steps a file has seen. */
export function userVersion(db: Database): number {
  const row = db.query<{ user_version: number }, []>("pragma user_version").get();
  return row?.user_version ?? 0;
}
