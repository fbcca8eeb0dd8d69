import { lowerThreadPriority } from "../../../core/kernel/processes.ts";
import type { MaintenanceProgress } from "../../../core/ports/index-maintenance.ts";
import type { WrittenBackup } from "../../../core/ports/keeping/backups.ts";
import type { WriteOrder } from "./write-backup.ts";
import { writeBackup } from "./write-backup.ts";

declare const self: Worker;

/** What is said while a backup is written, and at its end. */
export type BackupReply =
  | { readonly progress: MaintenanceProgress }
  | { readonly written: WrittenBackup }
  | { readonly failed: string; readonly code: string | null };

const reply = (said: BackupReply): void => self.postMessage(said);

self.onmessage = async ({ data }: MessageEvent<WriteOrder>) => {
  lowerThreadPriority();
  try {
    reply({ written: await writeBackup(data, (progress) => reply({ progress })) });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : null;
    reply({ failed: error instanceof Error ? error.message : String(error), code });
  }
};
