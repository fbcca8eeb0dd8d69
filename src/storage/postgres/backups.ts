import { AppError } from "../../core/kernel/errors.ts";
import type { BackupStore } from "../../core/ports/keeping/backups.ts";

const refused = (): AppError =>
  new AppError(
    "CONFLICT",
    "The data lies in a PostgreSQL database: back it up with pg_dump, or as your database provider does.",
  );

/** Backups of a database are not Cairn's to write. */
export const postgresBackupStore = (): BackupStore => ({
  folder: null,
  placeOf: () => {
    throw refused();
  },
  write: async () => {
    throw refused();
  },
  list: async () => ({ backups: [], fault: null }),
  copies: async () => [],
});
