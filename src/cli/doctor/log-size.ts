import { join } from "node:path";
import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";
import { megabytes, sizeOf } from "./folder.ts";

/** The writer cuts the log at 64 MiB by itself, and a file of it is kept up to 200 MiB. */
const LOG_MAX_BYTES = 256 * 1024 * 1024;

/** Whether the write-ahead log is emptied as it should be. */
export function inspectLog(folder: string): DoctorFinding {
  const say = about("data", "log");
  const bytes = sizeOf(join(folder, "cairn.db-wal")) ?? 0;
  if (bytes <= LOG_MAX_BYTES) return say.well(`${megabytes(bytes)} not yet in the data file`);
  return say.fault(`The log beside the data file has grown to ${megabytes(bytes)}.`, {
    why: "It is not emptied: some process holds it open, reads get slower, and the disk fills.",
    repair: "cairn stop && cairn serve",
  });
}
