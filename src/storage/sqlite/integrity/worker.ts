import { lowerThreadPriority } from "../../../core/kernel/processes.ts";
import type { MaintenanceProgress } from "../../../core/ports/index-maintenance.ts";
import type { Inspection } from "../../../core/ports/storage.ts";
import { openReadable } from "../engine/open-readable.ts";
import type { CheckedFile } from "./checks.ts";
import { checkFile } from "./checks.ts";

declare const self: Worker;

/** A file, and what to check of it: its pages alone for null. */
export interface CheckOrder {
  readonly file: string;
  readonly what: CheckedFile | null;
}
/** What is said while the check runs, and at its end. */
export type CheckReply =
  | { readonly progress: MaintenanceProgress }
  | { readonly found: Inspection }
  | { readonly failed: string; readonly code: string | null };

self.onmessage = ({ data }: MessageEvent<CheckOrder>) => {
  lowerThreadPriority();
  try {
    reply({ found: check(data) });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : null;
    reply({ failed: error instanceof Error ? error.message : String(error), code });
  }
};

const reply = (said: CheckReply): void => self.postMessage(said);

/** Reads through a connection of its own, so that neither the answering thread nor its readers wait. */
function check({ file, what }: CheckOrder): Inspection {
  const db = openReadable(file);
  try {
    db.exec("pragma busy_timeout = 10000");
    db.exec("pragma temp_store = memory");
    const steps = checkFile(db, what);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      reply({ progress: step.value });
    }
  } finally {
    db.close();
  }
}
