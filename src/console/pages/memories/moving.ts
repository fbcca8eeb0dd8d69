import type { Input, Reply } from "../../api/call.ts";
import { call } from "../../api/call.ts";

/** Where memories are moved to. */
export type Target = Input<"moveMemories">["body"]["to"];
/** What became of one of them. */
export type MoveItem = Reply<"moveMemories">["items"][number];

/** A call takes at most so many ids. */
const IDS_MAX = 500;

/** Moves memories, in as many steps as the server takes. Throws CallProblem. */
export async function moveMemories(ids: readonly string[], to: Target): Promise<readonly MoveItem[]> {
  const items: MoveItem[] = [];
  for (let i = 0; i < ids.length; i += IDS_MAX) {
    const part = ids.slice(i, i + IDS_MAX);
    for (let next: string | null | undefined; next !== null; ) {
      const body = { ids: part, to, ...(next === undefined ? {} : { next }) };
      const step: Reply<"moveMemories"> = await call("moveMemories", { body });
      items.push(...step.items);
      next = step.next;
    }
  }
  return items;
}
