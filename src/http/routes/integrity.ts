import {
  IndexesRebuilt,
  IntegrityReport,
  IntegrityRunRequest,
  IntegrityRunState,
} from "../../core/schema/integrity.ts";
import { beginRun, inspect, rebuildIndexes, runState } from "../../system/integrity.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";

const tag = "System";
const ADMINISTRATORS =
  "For administrators. The owner of the machine sees the whole store, another administrator what its tenant has in it.";
const LATE =
  "Where it takes longer than a request may, the answer is 504 and the run goes on: GET /api/v1/integrity/run tells how far it is, and what it found.";

export const integrityOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path: "/api/v1/integrity",
    id: "inspectIntegrity",
    tag,
    summary: "Check the data file and every index against the rows, and wait for what is found",
    description: `${ADMINISTRATORS} Who calls while a check runs waits for that one. ${LATE}`,
    reply: IntegrityReport,
    statuses: [200],
    refusals: ["ADMIN_REQUIRED"],
    run: (ctx) => inspect(ctx),
  }),
  operation({
    method: "POST",
    path: "/api/v1/integrity/run",
    id: "beginIntegrityRun",
    tag,
    summary: "Begin a check or a rebuild, and answer at once",
    description: `${ADMINISTRATORS} A rebuild is for the owner alone. How far it is, GET on the same path tells.`,
    rate: "write",
    changes: ["jobs"],
    body: IntegrityRunRequest,
    reply: IntegrityRunState,
    statuses: [202],
    refusals: ["ADMIN_REQUIRED"],
    run: (ctx, { body }) => beginRun(ctx, body),
  }),
  operation({
    method: "GET",
    path: "/api/v1/integrity/run",
    id: "readIntegrityRun",
    tag,
    summary: "How far the check or rebuild is, and what the last one found",
    description: ADMINISTRATORS,
    reply: IntegrityRunState,
    statuses: [200],
    refusals: ["ADMIN_REQUIRED"],
    run: (ctx) => runState(ctx),
  }),
  operation({
    method: "POST",
    path: "/api/v1/integrity/rebuild",
    id: "rebuildIndexes",
    tag,
    summary: "Make every index anew from the rows, while search goes on, and wait for it",
    description: `For the owner of the machine. ${LATE}`,
    rate: "write",
    changes: ["jobs"],
    reply: IndexesRebuilt,
    statuses: [200],
    refusals: ["ADMIN_REQUIRED"],
    run: (ctx) => rebuildIndexes(ctx),
  }),
];
