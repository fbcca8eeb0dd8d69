import { ReembedRequest, ReembedState } from "../../core/schema/keeping/reembed.ts";
import { changeModel, reembedState } from "../../system/reembed.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";

const tag = "System";
const path = "/api/v1/admin/reembed";

export const reembedOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path,
    id: "changeModel",
    tag,
    summary: "Have everything read by another embedding model, and answer at once",
    description:
      "For the owner of the machine. Searches are answered by the model of before until the new one has read every row and was checked; GET on the same path tells how far it is.",
    rate: "write",
    changes: ["jobs"],
    body: ReembedRequest.nullish(),
    reply: ReembedState,
    statuses: [202],
    refusals: ["ADMIN_REQUIRED", "BAD_REQUEST", "CONFLICT"],
    run: (ctx, { body }) => changeModel(ctx, body ?? {}),
  }),
  operation({
    method: "GET",
    path,
    id: "getModelChange",
    tag,
    summary: "Which embedding model answers, and how far another one is",
    description: "For the owner of the machine.",
    reply: ReembedState,
    statuses: [200],
    refusals: ["ADMIN_REQUIRED"],
    run: (ctx) => reembedState(ctx),
  }),
];
