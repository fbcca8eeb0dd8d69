import { and, eq, lt } from "drizzle-orm";
import { sha256 } from "../../../core/kernel/hash.ts";
import type { ReplyClaim, ReplyKey, ReplyStore } from "../../../core/ports/account-stores.ts";
import type { Connections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { keptReplies } from "../engine/tables.ts";

/** How long a key means the request that claimed it. */
const KEPT_MS = 24 * 60 * 60_000;

const at_ = ({ tenant_id, credential, key }: ReplyKey) =>
  and(eq(keptReplies.tenant_id, tenant_id), eq(keptReplies.credential, credential), eq(keptReplies.key, key));

const nameOf = ({ tenant_id, credential, key }: ReplyKey): string => JSON.stringify([tenant_id, credential, key]);

/** Replies kept by Idempotency-Key, over SQLite. */
export function sqliteReplyStore(db: Connections): ReplyStore {
  // No other process uses the file: a claim that is not among these is left from one that died, and holds nobody up.
  const claimed = new Set<string>();
  return {
    claim: (key, request_hash, nowMs) =>
      guarded(() => {
        const found = db.transaction(() => claim(db, key, { request_hash, nowMs, isHeld: claimed.has(nameOf(key)) }));
        if (found.state === "claimed") claimed.add(nameOf(key));
        return found;
      }),
    keep: (key, { status, body }) =>
      guarded(() => {
        // Whether or not the reply can be kept: nobody is to wait for a request that is over.
        claimed.delete(nameOf(key));
        db.transaction(() => db.drizzleWrite.update(keptReplies).set({ status, body }).where(at_(key)).run());
      }),
    release: (key) =>
      guarded(() => {
        claimed.delete(nameOf(key));
        db.transaction(() => db.drizzleWrite.delete(keptReplies).where(at_(key)).run());
      }),
  };
}

/** SQL of the numbers of the kept replies that show a row of this id, at the places where they may: each is looked up by itself. */
export const repliesShowing = (id: string): string =>
  ["$.id", "$.newer.id", "$.older.id"]
    .map(
      (at) => `select rowid from kept_replies
      where body is not null and case when json_valid(body) then body ->> '${at}' end = ${id}`,
    )
    .join(" union all ");

/** Forgets the replies that show any of these rows, inside the caller's transaction. */
export function eraseReplies(db: Connections, ids: readonly string[]): void {
  const forget = db.writeConnection.query(`delete from kept_replies where rowid in (${repliesShowing("?1")})`);
  for (const id of ids) forget.run(id);
}

interface Claimant {
  readonly request_hash: string;
  readonly nowMs: number;
  /** Whether a request of this process holds the key. */
  readonly isHeld: boolean;
}

function claim(db: Connections, key: ReplyKey, { request_hash, nowMs, isHeld }: Claimant): ReplyClaim {
  db.drizzleWrite.delete(keptReplies).where(lt(keptReplies.expires, nowMs)).run();
  const kept = db.drizzleWrite.select().from(keptReplies).where(at_(key)).get();
  const isLeft = kept && kept.status === null && !isHeld;
  if (isLeft && kept.request_hash === request_hash) return { state: "claimed", attempt: attemptOf(kept) };
  if (isLeft) db.drizzleWrite.delete(keptReplies).where(at_(key)).run();
  else if (kept) return stateOf(kept, request_hash);
  const claimed = { ...key, request_hash, expires: nowMs + KEPT_MS };
  db.drizzleWrite.insert(keptReplies).values(claimed).run();
  return { state: "claimed", attempt: attemptOf(claimed) };
}

/** Another name for each use of a key: the same key may mean another request once its time is over. */
const attemptOf = ({ tenant_id, credential, key, request_hash, expires }: Omit<Kept, "status" | "body">): string =>
  `once:${sha256(JSON.stringify([tenant_id, credential, key, request_hash, expires]))}`;

type Kept = typeof keptReplies.$inferSelect;

function stateOf(kept: Kept, request_hash: string): ReplyClaim {
  if (kept.request_hash !== request_hash) return { state: "other_request" };
  if (kept.status === null) return { state: "pending" };
  return { state: "done", reply: { status: kept.status, body: kept.body } };
}
