import { requireOwner } from "../access/trust.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { BackupOrder } from "../core/ports/keeping/backups.ts";
import type { BackupRequest, BackupState } from "../core/schema/keeping/backup.ts";
import { RELEASE } from "../version.ts";

/** Begins a backup of everything and answers at once. For the owner of the machine: it holds all tenants. Throws CONFLICT while one goes on, or something is in the way of the file. */
export async function beginBackup(ctx: Ctx, request: BackupRequest): Promise<BackupState> {
  requireOwner(ctx);
  const { file, made } = ctx.storage.backups.placeOf(request);
  const order: BackupOrder = { file, keep: request.keep ?? null, release: RELEASE };
  const isBegun = ctx.backupRuns.begin(made, (tell) => ctx.storage.backups.write(order, tell));
  if (!isBegun) throw new AppError("CONFLICT", "A backup is being written. Wait until it is finished.");
  return backupState(ctx);
}

/** The backups in the default folder, and how far the present one is. For the owner of the machine. */
export async function backupState(ctx: Ctx): Promise<BackupState> {
  requireOwner(ctx);
  const { backups } = ctx.storage;
  return { folder: backups.folder, ...(await backups.list()), run: ctx.backupRuns.latest() };
}
