import { ForgetRequest, Forgotten } from "../../core/schema/keeping/forget.ts";
import { forget } from "../../system/keeping/forget.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";

export const forgetOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path: "/api/v1/admin/forget",
    id: "forget",
    tag: "System",
    summary: "Erase for good what an agent wrote, a fleet has, is older than a moment or holds a text",
    description:
      "For the owner of the machine, in any tenant. Rows, words, vectors, findings, what the audit and kept replies tell of them; then free pages and the log are cleared and the data file shrinks. A request goes on for some seconds: send it again with `next` of its reply until that is null. One that was interrupted is begun again. Backups are listed, not changed.",
    rate: "write",
    changes: ["memories", "documents", "entities", "conflicts", "skills", "access"],
    changesIn: ({ body }) => body.tenant_id,
    body: ForgetRequest,
    reply: Forgotten,
    statuses: [200],
    refusals: ["ADMIN_REQUIRED", "BAD_REQUEST"],
    run: (ctx, { body }) => forget(ctx, body),
  }),
];
