import { requireOwner } from "../access/trust.ts";
import { AppError } from "../core/kernel/errors.ts";
import { isWithin } from "../core/kernel/files/paths.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { BackupOrder } from "../core/ports/keeping/backups.ts";
import type { BackupRequest, BackupState } from "../core/schema/keeping/backup.ts";
import { RELEASE } from "../version.ts";

/** Begins a backup of everything and answers at once. For the owner of the machine: it holds all tenants. Throws FORBIDDEN for a place that is not the caller's to name, CONFLICT while one goes on, or something is in the way of the file. */
export async function beginBackup(ctx: Ctx, request: BackupRequest): Promise<BackupState> {
  requireOwner(ctx);
  requireOwnPlace(ctx, request);
  const { file, made } = ctx.storage.backups.placeOf(request);
  const order: BackupOrder = { file, keep: request.keep ?? null, release: RELEASE };
  const isBegun = ctx.backupRuns.begin(made, (tell) => ctx.storage.backups.write(order, tell));
  if (!isBegun) throw new AppError("CONFLICT", "A backup is being written. Wait until it is finished.");
  return backupState(ctx);
}

/** A backup makes files and folders, and removes backups, as the account of the server: whoever is not that account keeps to the folder of backups. */
function requireOwnPlace({ principal, storage }: Ctx, { destination }: BackupRequest): void {
  if (principal.account || destination === undefined) return;
  const { folder } = storage.backups;
  if (folder !== null && isWithin(destination, folder)) return;
  const place = folder === null ? "it keeps no folder of backups" : `leave destination out, or name one in ${folder}`;
  throw new AppError(
    "FORBIDDEN",
    `Only the account that runs the server may name any other place: ${place}. On its machine \`cairn backup PATH\` goes anywhere.`,
  );
}

/** The backups in the default folder, and how far the present one is. For the owner of the machine. */
export async function backupState(ctx: Ctx): Promise<BackupState> {
  requireOwner(ctx);
  const { backups } = ctx.storage;
  return { folder: backups.folder, ...(await backups.list()), run: ctx.backupRuns.latest() };
}
