import { MovedReply, MoveRequest } from "../../../core/schema/places/move.ts";
import { moveMemories } from "../../../memories/move.ts";
import type { Operation } from "../../operation.ts";
import { operation } from "../../operation.ts";
import { WRITE_REFUSALS } from "../memories.ts";

export const moveOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path: "/api/v1/memories/move",
    id: "moveMemories",
    tag: "Memories",
    summary: "Move memories to another fleet, or to everyone",
    description:
      "Each stays the row that it is, with its id, links and history. What the organisation sees becomes the fleet's that it is moved to; what is private stays private. What was found about it is looked at again. Needs the trust to change it and, for more readers, to write for them. A request goes on for some seconds: send it again with `next` of its reply until that is null.",
    rate: "bulk",
    changes: ["memories", "entities", "conflicts"],
    body: MoveRequest,
    reply: MovedReply,
    statuses: [200],
    refusals: [...WRITE_REFUSALS, "BAD_REQUEST"],
    run: (ctx, { body }) => moveMemories(ctx, body),
  }),
];
