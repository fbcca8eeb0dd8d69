import { DAY_MS } from "../../../src/core/kernel/clock.ts";
import type { ReplyKey } from "../../../src/core/ports/account-stores.ts";
import type { Oracle } from "./oracle.ts";
import type { OracleReply, State } from "./state.ts";

const isAt = (a: ReplyKey, b: ReplyKey): boolean =>
  a.tenant_id === b.tenant_id && a.credential === b.credential && a.key === b.key;

/** Kept replies: whoever claims a key first runs, and a key means the same request for a day. */
export function repliesOf(state: State): Oracle["replies"] {
  const without = (gone: OracleReply) => state.replies.filter((one) => one !== gone);
  const inHand = (key: ReplyKey) => state.replies.find((one) => isAt(one.at, key) && one.reply === null);
  return {
    claim: async (key, request_hash, nowMs) => {
      state.replies = state.replies.filter(({ at, expires }) => !isAt(at, key) || expires >= nowMs);
      const kept = state.replies.find(({ at }) => isAt(at, key));
      if (!kept) {
        state.replies.push({ at: key, request_hash, expires: nowMs + DAY_MS, reply: null });
        return { state: "claimed", attempt: "one's own" };
      }
      if (kept.request_hash !== request_hash) return { state: "other_request" };
      return kept.reply === null ? { state: "pending" } : { state: "done", reply: kept.reply };
    },
    keep: async (key, reply) => {
      const own = inHand(key);
      if (own) state.replies = [...without(own), { ...own, reply }];
    },
    release: async (key) => {
      const own = inHand(key);
      if (own) state.replies = without(own);
    },
  };
}
