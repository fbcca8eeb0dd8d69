import type { Backup, BackupRequest, BackupRun, BackupState } from "../../schema/keeping/backup.ts";
import type { MaintenanceProgress } from "../index-maintenance.ts";

/** The file that a destination means, and what is made there. */
export type BackupPlace = Pick<Backup, "file"> & Pick<BackupRun, "made">;

/** A backup that was written, and what `keep` left beside it. */
export interface WrittenBackup extends Pick<BackupRun, "left"> {
  readonly backup: Backup;
}

/** A backup to write. */
export interface BackupOrder extends Pick<BackupPlace, "file"> {
  /** Of this user's backups in its folder so many stay, the newest, itself always; all for null. */
  readonly keep: number | null;
  /** Release of the Cairn that writes it. */
  readonly release: string;
}

/** Copies of everything that is stored, each of one moment, in files. */
export interface BackupStore {
  /** Where backups go that name no other place; null where nothing is kept on a disk. */
  readonly folder: string | null;
  /**
   * The file that a request means: its destination, or one named after the moment in a folder. Throws AppError where nothing
   * is kept on a disk, the file exists, a file lies where the folder would, or the path is not absolute.
   */
  placeOf(request: BackupRequest): BackupPlace;
  /** Writes a backup beside the calls of others, whole or not at all. Throws AppError where it cannot be written, or the disk is full. */
  write(order: BackupOrder, tell: (progress: MaintenanceProgress) => void): Promise<WrittenBackup>;
  /** The backups in the default folder, newest first, and what keeps them from being there. */
  list(): Promise<Pick<BackupState, "backups" | "fault">>;
  /** Paths of other copies of the data in its folder: kept before an upgrade or a restore, or when pages were damaged. */
  copies(): Promise<string[]>;
}

/** The backups that this process writes: one at a time. */
export interface BackupRuns {
  /** The one that was begun last; null before the first. */
  latest(): BackupRun | null;
  /** Begins one; false where another goes on. Never throws: how it ends, `latest` tells. */
  begin(
    made: BackupRun["made"],
    work: (tell: (progress: MaintenanceProgress) => void) => Promise<WrittenBackup>,
  ): boolean;
}
