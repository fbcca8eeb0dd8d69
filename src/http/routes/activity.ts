import { Activity, ActivityQuery } from "../../core/schema/observing/activity.ts";
import { MemoryAges } from "../../core/schema/observing/ages.ts";
import { MemoryMap, MemoryMapQuery } from "../../core/schema/observing/map.ts";
import { PictureQuery } from "../../core/schema/observing/picture.ts";
import { readActivity } from "../../memories/pictures/activity.ts";
import { memoryMap } from "../../memories/pictures/map.ts";
import { memoryAges } from "../../search/observing/ages.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";
import { UNCOUNTED_TAG } from "../request-counts.ts";

const tag = UNCOUNTED_TAG;

const REFUSALS = ["TENANT_MISMATCH", "AGENT_IDENTITY_MISMATCH", "FLEET_SCOPE_FORBIDDEN"] as const;

export const activityOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path: "/api/v1/activity",
    id: "activity",
    tag,
    summary: "Memories written day by day, and requests answered lately",
    query: ActivityQuery,
    reply: Activity,
    statuses: [200],
    refusals: REFUSALS,
    run: (ctx, { query }) => readActivity(ctx, query),
  }),
  operation({
    method: "GET",
    path: "/api/v1/memories/ages",
    id: "memoryAges",
    tag,
    summary: "Live memories by age and type: how fresh, and how often recalled",
    rate: "search",
    query: PictureQuery,
    reply: MemoryAges,
    statuses: [200],
    refusals: REFUSALS,
    run: (ctx, { query }) => memoryAges(ctx, query),
  }),
  operation({
    method: "GET",
    path: "/api/v1/memories/map",
    id: "memoryMap",
    tag,
    summary: "What the newest memories are about, as a map",
    description:
      "Memories whose vectors are alike are clustered and lie together; the axes are those along which the clusters differ most. The same memories always give the same map.",
    rate: "search",
    query: MemoryMapQuery,
    reply: MemoryMap,
    statuses: [200],
    refusals: REFUSALS,
    run: (ctx, { query }) => memoryMap(ctx, query),
  }),
];
