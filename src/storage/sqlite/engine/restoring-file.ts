import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../../core/kernel/errors.ts";
import { writePrivateFile } from "../../../core/kernel/files/private-files.ts";

/** Lies in a data folder while a restore exchanges its data file; says where what was there is kept. */
const RESTORING_FILE = "cairn.restoring";

/** Notes that the data file is being exchanged. */
export function markRestoring(folder: string, kept: string | null): void {
  writePrivateFile(join(folder, RESTORING_FILE), kept ?? "");
}

/** Takes the note away. */
export function unmarkRestoring(folder: string): void {
  rmSync(join(folder, RESTORING_FILE), { force: true });
}

/** Where a restore that was interrupted keeps what was there: null for nowhere; undefined where none was interrupted. */
export function interruptedRestore(folder: string): string | null | undefined {
  const path = join(folder, RESTORING_FILE);
  return existsSync(path) ? readFileSync(path, "utf8").trim() || null : undefined;
}

/** Throws where a restore was interrupted between taking the old data file away and putting the new one there. */
export function refuseHalfRestored(folder: string): void {
  const kept = interruptedRestore(folder);
  if (kept === undefined) return;
  const place = kept === null ? "" : ` What was there before is kept in ${kept}.`;
  const message = `A restore into ${folder} was interrupted. Run \`cairn restore\` with the same backup again.${place}`;
  throw new AppError("UNAVAILABLE", message, { folder, reason: "restore_interrupted" });
}
