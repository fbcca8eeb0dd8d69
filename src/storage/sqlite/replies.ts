import { and, eq, lt } from "drizzle-orm";
import type { ReplyClaim, ReplyKey, ReplyStore } from "../../ports/account-stores.ts";
import type { Connections } from "./connection.ts";
import { guarded } from "./faults.ts";
import { keptReplies } from "./tables.ts";

/** How long a finished reply is replayed. */
const KEPT_MS = 24 * 60 * 60_000;
/** How long a claim whose request vanished (a crash) holds its key. */
const CLAIM_MS = 90_000;

const at_ = ({ tenant_id, key }: ReplyKey) => and(eq(keptReplies.tenant_id, tenant_id), eq(keptReplies.key, key));

export function sqliteReplyStore(at: Connections): ReplyStore {
  return {
    claim: (key, request_hash, nowMs) => guarded(() => at.transaction(() => claim(at, key, request_hash, nowMs))),
    keep: (key, { status, body }, nowMs) =>
      guarded(() => {
        at.write
          .update(keptReplies)
          .set({ status, body, expires: nowMs + KEPT_MS })
          .where(at_(key))
          .run();
      }),
    release: (key) => guarded(() => void at.write.delete(keptReplies).where(at_(key)).run()),
  };
}

function claim(at: Connections, key: ReplyKey, request_hash: string, nowMs: number): ReplyClaim {
  at.write.delete(keptReplies).where(lt(keptReplies.expires, nowMs)).run();
  const kept = at.write.select().from(keptReplies).where(at_(key)).get();
  if (!kept) {
    at.write
      .insert(keptReplies)
      .values({ ...key, request_hash, expires: nowMs + CLAIM_MS })
      .run();
    return { state: "claimed" };
  }
  if (kept.request_hash !== request_hash) return { state: "other_request" };
  if (kept.status === null) return { state: "pending" };
  return { state: "done", reply: { status: kept.status, body: kept.body } };
}
