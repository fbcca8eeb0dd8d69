import type { Reply } from "../../../api/call.ts";
import type { Loaded } from "../../../api/query.ts";
import { useCall } from "../../../api/query.ts";
import type { SearchRequest } from "../../../api/schemas.gen.ts";
import { idsIn } from "../linked-text.tsx";

export type RecallReplies = Reply<"recallMemories">;

const NONE: ReadonlySet<string> = new Set();

/**
 * Recalls with what is asked; null asks nothing. It is not made again when memories change, as a language model may be
 * asked by it.
 */
export function useRecall(asked: SearchRequest | null): { recall: Loaded<RecallReplies>; cited: ReadonlySet<string> } {
  const recall = useCall("recallMemories", asked && { body: { ...asked, items_alias: false } });
  const cited = asked && recall.data ? new Set(idsIn(recall.data.summary)) : NONE;
  return { recall, cited };
}
