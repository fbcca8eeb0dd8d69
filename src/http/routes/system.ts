import {
  Counters,
  Health,
  Status,
  ToolDescriptions,
  ToolDescriptionsQuery,
  Version,
  Whoami,
} from "../../core/schema/system.ts";
import { checkHealth } from "../../system/health.ts";
import { counters, describeStatus, version, whoami } from "../../system/status.ts";
import { toolDescriptions } from "../../system/tools.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";

const tag = "System";

export const systemOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path: "/api/v1/version",
    id: "version",
    tag,
    summary: "Version of the interface and of Cairn",
    open: true,
    reply: Version,
    statuses: [200],
    run: async () => version(),
  }),
  operation({
    method: "GET",
    path: "/api/v1/whoami",
    id: "whoami",
    tag,
    summary: "The identity this call resolves to",
    open: true,
    reply: Whoami,
    statuses: [200],
    run: async (ctx) => whoami(ctx),
  }),
  operation({
    method: "GET",
    path: "/api/v1/health",
    id: "health",
    tag,
    summary: "Whether Cairn can serve",
    open: true,
    reply: Health,
    statuses: [200, 503],
    statusOf: ({ status }) => (status === "unhealthy" ? 503 : 200),
    run: (ctx) => checkHealth(ctx),
  }),
  operation({
    method: "GET",
    path: "/api/v1/status",
    id: "status",
    tag,
    summary: "What this server runs on",
    open: true,
    reply: Status,
    statuses: [200],
    run: (ctx) => describeStatus(ctx),
  }),
  operation({
    method: "GET",
    path: "/api/v1/tool-descriptions",
    aliases: ["/tool-descriptions"],
    id: "toolDescriptions",
    tag,
    summary: "What each agent-facing tool is for",
    query: ToolDescriptionsQuery,
    reply: ToolDescriptions,
    statuses: [200],
    run: (ctx, { query }) => toolDescriptions(ctx, query),
  }),
  operation({
    method: "GET",
    path: "/api/v1/stats",
    id: "counters",
    tag,
    summary: "Public counters",
    open: true,
    reply: Counters,
    statuses: [200],
    run: (ctx) => counters(ctx),
  }),
];
