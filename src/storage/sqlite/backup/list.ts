import { join } from "node:path";
import type { HeldFolder } from "../../../core/kernel/files/held-folder.ts";
import type { Backup } from "../../../core/schema/keeping/backup.ts";
import { BACKUP_END, readBackup } from "./file-format.ts";

/** The backups that lie in a folder, newest first; files that are none are passed over. */
export function backupsIn(folder: Pick<HeldFolder, "path" | "at">, names: readonly string[]): Backup[] {
  const backups = names
    .filter((name) => name.endsWith(BACKUP_END))
    .flatMap((name) => {
      try {
        const { bytes, manifest } = readBackup(folder.at(name));
        return [{ file: join(folder.path, name), bytes, manifest }];
      } catch {
        return [];
      }
    });
  return backups.toSorted((a, b) => b.manifest.created_at.localeCompare(a.manifest.created_at, "en"));
}
