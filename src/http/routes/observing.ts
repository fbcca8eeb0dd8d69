import { JSON_MAX_DEPTH } from "../../core/kernel/json-measure.ts";
import { Bounds } from "../../core/schema/observing/bounds.ts";
import { ChangeEvent } from "../../core/schema/observing/changes.ts";
import { UnfinishedJobs } from "../../core/schema/observing/jobs.ts";
import { RecentLogs, RecentLogsQuery } from "../../core/schema/observing/logs.ts";
import { describeBounds } from "../../system/observing/bounds.ts";
import { listJobs } from "../../system/observing/jobs.ts";
import { recentLogs } from "../../system/observing/recent-log.ts";
import { watchChanges } from "../../system/observing/watch.ts";
import { BODY_MAX_BYTES } from "../body.ts";
import { STREAMS } from "../events/places.ts";
import type { Operation } from "../operation.ts";
import { Events, operation } from "../operation.ts";

const tag = "System";

/** What only the edge knows of bounds. */
const EDGE_BOUNDS = { body_bytes: BODY_MAX_BYTES, body_depth: JSON_MAX_DEPTH, streams: STREAMS };

export const observingOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path: "/api/v1/events",
    id: "events",
    tag,
    summary: "What changes in the tenant, as it changes",
    description: `Server-sent events, which never hold contents: \`hello\` at once, then \`change\` with the topics of the last 300 ms. A comment every 10 s shows that the stream lives; it ends by itself after 30 minutes, when the server stops, and when its key is revoked: connect again. What changed in between is not told, so read everything again then. A caller may have ${STREAMS.caller} open.`,
    replyType: "text/event-stream",
    reply: ChangeEvent,
    statuses: [200],
    run: async (ctx) => new Events(watchChanges(ctx)),
  }),
  operation({
    method: "GET",
    path: "/api/v1/limits",
    id: "limits",
    tag,
    summary: "What bounds apply to the caller",
    reply: Bounds,
    statuses: [200],
    run: (ctx) => describeBounds(ctx, EDGE_BOUNDS),
  }),
  operation({
    method: "GET",
    path: "/api/v1/admin/logs",
    id: "recentLogs",
    tag,
    summary: "The log lines of the last minutes, newest last",
    description:
      "For the owner of the machine. At most 2,000 lines, 1 MiB and 15 minutes are kept, in memory, whatever is printed; no debug lines. Lines hold no contents, queries or keys.",
    query: RecentLogsQuery,
    reply: RecentLogs,
    statuses: [200],
    refusals: ["ADMIN_REQUIRED"],
    run: (ctx, { query }) => recentLogs(ctx, query),
  }),
  operation({
    method: "GET",
    path: "/api/v1/admin/jobs",
    id: "listJobs",
    tag,
    summary: "Deferred work that is not finished, and what of it fails",
    description: "For administrators; of all tenants for the owner of the machine.",
    reply: UnfinishedJobs,
    statuses: [200],
    refusals: ["ADMIN_REQUIRED"],
    run: (ctx) => listJobs(ctx),
  }),
];
