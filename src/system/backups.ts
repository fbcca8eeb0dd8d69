import { requireOwner } from "../access/trust.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { BackupOrder } from "../core/ports/keeping/backups.ts";
import type { BackupRequest, BackupState } from "../core/schema/keeping/backup.ts";
import { RELEASE } from "../version.ts";

/** Begins a backup of everything and answers at once. For the owner of the machine: it holds all tenants. Throws CONFLICT while one goes on, or the file exists. */
export async function beginBackup(ctx: Ctx, request: BackupRequest): Promise<BackupState> {
  requireOwner(ctx);
  const { destination = null, keep = null } = request;
  const order: BackupOrder = { file: ctx.storage.backups.fileAt(destination), keep, release: RELEASE };
  const isBegun = ctx.backupRuns.begin((tell) => ctx.storage.backups.write(order, tell));
  if (!isBegun) throw new AppError("CONFLICT", "A backup is being written. Wait until it is finished.");
  return backupState(ctx);
}

/** The backups in the default folder, and how far the present one is. For the owner of the machine. */
export async function backupState(ctx: Ctx): Promise<BackupState> {
  requireOwner(ctx);
  const { backups } = ctx.storage;
  return { folder: backups.folder, backups: await backups.list(), run: ctx.backupRuns.latest() };
}
