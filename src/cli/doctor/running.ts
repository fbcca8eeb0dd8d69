import { readlinkSync } from "node:fs";
import { counted } from "../../core/kernel/text.ts";
import type { Status } from "../../core/schema/system.ts";
import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";

const RESTART = "cairn stop && cairn serve";

/** Whether the server that runs is of the same release as this program, and of an executable that is still there. */
export function inspectRelease(status: Status, release: string, pid: number | null): DoctorFinding {
  const say = about("server", "release");
  const why = "Commands and server may understand each other wrongly, and what was mended is not in use.";
  if (status.release !== release) {
    return say.fault(`The server is cairn ${status.release}, this program cairn ${release}.`, { why, repair: RESTART });
  }
  if (pid !== null && wasReplaced(pid)) {
    return say.fault("The server still runs an executable that was replaced.", { why, repair: RESTART });
  }
  return say.well(`cairn ${status.release}, as this program`);
}

/** What Linux says of a process whose executable is no longer there. */
function wasReplaced(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`).endsWith(" (deleted)");
  } catch {
    return false;
  }
}

const STORAGE_WHY = "Reads may go on; every save is refused.";

/** What the server says of itself: its storage, what it was told to use, and the work that is left. */
export function inspectHealth({ health, dependencies, jobs, platform_init_errors }: Status): DoctorFinding[] {
  const { storage, redis, event_bus } = dependencies;
  const say = about("server", "health");
  const told = [
    ...(storage === "connected" ? [] : [`The data is ${storage.replace("_", "-")}.`]),
    ...(redis === "unavailable" ? ["The Redis that you configured does not answer."] : []),
    ...(event_bus === "ok" ? [] : ["Jobs rest, since the data could not be reached."]),
    ...(platform_init_errors.includes("data_file_damaged") ? ["Pages of the data file are damaged."] : []),
  ];
  const faults = told.map((what) => say.fault(what, { why: STORAGE_WHY, repair: "cairn check" }));
  return [...(faults.length > 0 ? faults : [say.well(health)]), jobsLeft(jobs)];
}

function jobsLeft(jobs: Status["jobs"]): DoctorFinding {
  const say = about("server", "jobs");
  if (jobs === null) return say.unseen("This key may not know of them.", "cairn keys create --admin");
  const { failing, pending, embedding_pending } = jobs;
  if (failing > 0) {
    return say.fault(`${counted(failing, "job")} failed, and will be tried again.`, {
      why: "Until they succeed, some memories have no vector or were not compared with others.",
      repair: RESTART,
    });
  }
  return say.well(`${pending} left, ${counted(embedding_pending, "memory", "memories")} without a vector yet`);
}
