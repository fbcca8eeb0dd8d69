import { BackupRequest, BackupState } from "../../core/schema/keeping/backup.ts";
import { backupState, beginBackup } from "../../system/backups.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";

const tag = "System";

export const backupOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path: "/api/v1/admin/backups",
    id: "beginBackup",
    tag,
    summary: "Begin a backup of everything, and answer at once",
    description:
      "For the owner of the machine. All of one moment, written beside the calls of others; GET on the same path tells how far it is. `cairn restore` puts it back.",
    rate: "write",
    changes: ["backups"],
    body: BackupRequest.nullish(),
    reply: BackupState,
    statuses: [202],
    refusals: ["ADMIN_REQUIRED", "FORBIDDEN", "BAD_REQUEST", "CONFLICT"],
    run: (ctx, { body }) => beginBackup(ctx, body ?? {}),
  }),
  operation({
    method: "GET",
    path: "/api/v1/admin/backups",
    id: "listBackups",
    tag,
    summary: "The backups in the default folder, and how far the present one is",
    description: "For the owner of the machine.",
    reply: BackupState,
    statuses: [200],
    refusals: ["ADMIN_REQUIRED"],
    run: (ctx) => backupState(ctx),
  }),
];
