import type { IntegrityReport } from "../../core/schema/integrity.ts";
import type { CallLocal } from "../call.ts";
import { runToEnd } from "../integrity.ts";
import type { ProgressLine } from "../progress.ts";
import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";

/** Saves what can be read of a damaged file, which takes the folder away from the server. */
export const SALVAGE = "cairn stop; cairn rebuild";

/** Whether the data file is sound, and every index agrees with the rows. */
export async function inspectIntegrity(call: CallLocal, progress: ProgressLine): Promise<DoctorFinding[]> {
  const say = about("data", "integrity");
  try {
    const { report } = await runToEnd(call, "check", progress);
    return report ? judge(report) : [say.unseen("The check ended without a result.", "cairn check")];
  } catch (error) {
    return [say.unseen(error instanceof Error ? error.message : String(error), "cairn check")];
  } finally {
    progress.end();
  }
}

function judge({ checks, damaged }: IntegrityReport): DoctorFinding[] {
  const say = about("data", "integrity");
  const faults = checks.filter(({ ok }) => !ok);
  if (faults.length === 0) return [say.well(`${checks.length} checks of rows and indexes agree`)];
  // What cannot be rebuilt from other rows is saved by a person's own decision: something may be lost by it.
  const canMend = damaged.every(({ derived }) => derived);
  return faults.map(({ name, detail }) =>
    say.fault(`${name}: ${detail}`, {
      why: canMend
        ? "Search misses what its indexes do not hold, or finds what is no longer there."
        : "Pages of the data file are damaged: what lies on them cannot be read, and nothing is written until it is saved.",
      repair: canMend ? "cairn doctor --fix" : SALVAGE,
      ...(canMend ? { fix: "rebuild" as const } : {}),
    }),
  );
}

/** Rebuilds all indexes from the rows. Throws Refused. */
export async function rebuild(call: CallLocal, progress: ProgressLine): Promise<void> {
  await runToEnd(call, "rebuild", progress).finally(() => progress.end());
}
