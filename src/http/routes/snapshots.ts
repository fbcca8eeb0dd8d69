import { Snapshot } from "../../core/schema/keeping/snapshot.ts";
import { TOPICS } from "../../core/schema/observing/changes.ts";
import { restoreSnapshot, takeSnapshot } from "../../system/snapshots.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";

const tag = "System";

export const snapshotOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path: "/api/v1/admin/snapshot",
    id: "takeSnapshot",
    tag,
    summary: "Remember everything as it is now, in a server that keeps it in memory",
    description:
      "For the owner of the machine, and for tests. Waits until all that was written can be found and was read for what it says; where that takes longer than two seconds, 409 with `reason` `jobs_left`: send it again. One snapshot is remembered, the last.",
    rate: "write",
    changes: ["backups"],
    reply: Snapshot,
    statuses: [201],
    refusals: ["ADMIN_REQUIRED", "CONFLICT"],
    run: (ctx) => takeSnapshot(ctx),
  }),
  operation({
    method: "POST",
    path: "/api/v1/admin/snapshot/restore",
    id: "restoreSnapshot",
    tag,
    summary: "Put everything back to the snapshot",
    description:
      "For the owner of the machine. Ids, jobs, settings, keys, kept replies and budgets of calls are as they were then. Requests and jobs in hand store nothing any more: they are refused with 409. Metrics go on counting.",
    rate: "write",
    changes: TOPICS,
    changesIn: () => null,
    reply: Snapshot,
    statuses: [200],
    refusals: ["ADMIN_REQUIRED", "CONFLICT"],
    run: (ctx) => restoreSnapshot(ctx),
  }),
];
