import {
  ForgeRunList,
  ForgeRunQuery,
  LifecycleFanout,
  LifecyclePath,
  LifecycleRequest,
  LifecycleTriggered,
} from "../../core/schema/forge.ts";
import { fanOut, listForgeRuns, trigger } from "../../forge/request.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";

const tag = "Forge";
const lifecycle = "/admin/lifecycle";

export const forgeOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path: "/api/v1/forge/runs",
    id: "listForgeRuns",
    tag,
    summary: "What the Forge did, newest run first",
    description:
      "Each run tells how many runs of agents it read, how they ended, and what became of every cluster. Administrators only.",
    query: ForgeRunQuery,
    reply: ForgeRunList,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "ADMIN_REQUIRED"],
    run: (ctx, { query }) => listForgeRuns(ctx, query),
  }),
  operation({
    method: "POST",
    path: `/api/v1${lifecycle}/fanout/{action}`,
    // Where the operator's manual of the existing product has it.
    aliases: [`${lifecycle}/fanout/{action}`],
    id: "fanOutLifecycle",
    tag,
    summary: "Set off a run of the Forge for every tenant that has opted in",
    description: "`published` counts the tenants set off; one that had a run within the last hour is not.",
    rate: "write",
    changes: ["forge"],
    params: LifecyclePath,
    reply: LifecycleFanout,
    statuses: [200],
    refusals: ["ADMIN_REQUIRED", "NOT_FOUND"],
    run: (ctx, { params }) => fanOut(ctx, params.action),
  }),
  operation({
    method: "POST",
    path: `/api/v1${lifecycle}/{action}`,
    aliases: [`${lifecycle}/{action}`],
    id: "triggerLifecycle",
    tag,
    summary: "Set off a run of the Forge for one tenant",
    rate: "write",
    changes: ["forge"],
    changesIn: ({ body }) => body.org_id,
    params: LifecyclePath,
    body: LifecycleRequest,
    reply: LifecycleTriggered,
    statuses: [200],
    refusals: ["ADMIN_REQUIRED", "TENANT_MISMATCH", "NOT_FOUND", "SKILLS_FACTORY_DISABLED"],
    run: (ctx, { params, body }) => trigger(ctx, params.action, body),
  }),
];
