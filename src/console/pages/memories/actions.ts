import { call } from "../../api/call.ts";
import { asProblem } from "../../api/problem.ts";
import type { MemoryDetail, MemoryStatus } from "../../api/schemas.gen.ts";
import { plural } from "../../kit/numbers.ts";
import { toast } from "../../kit/toast.tsx";
import type { Feed } from "./list/feed.ts";

/** A memory as it was seen: what somebody else made of it meanwhile is not lost. */
type Seen = Pick<MemoryDetail, "id" | "version">;

/** Deletes one memory, with a way back. Throws CallProblem. */
export async function removeOne(feed: Feed, { id: memory_id, version }: Seen): Promise<void> {
  await call("removeMemory", { path: { memory_id }, version });
  const putBack = feed.drop([memory_id]);
  const undo = async () => {
    await call("restoreMemory", { path: { memory_id } });
    putBack();
  };
  toast("The memory is deleted.", { undo });
}

/** A call deletes at most so many. */
const IDS_MAX = 1_000;
/** So many are restored at a time. */
const RESTORED_AT_ONCE = 8;

/** Deletes several, with a way back. Throws CallProblem. */
export async function removeSeveral(feed: Feed, ids: readonly string[]): Promise<void> {
  let deleted = 0;
  for (let i = 0; i < ids.length; i += IDS_MAX) {
    const part = ids.slice(i, i + IDS_MAX);
    deleted += (await call("removeMemories", { body: { ids: part } })).deleted;
  }
  const putBack = feed.drop(ids);
  toast(`${plural(deleted, "memory is", "memories are")} deleted.`, { undo: () => restoreSeveral(ids, putBack) });
}

async function restoreSeveral(ids: readonly string[], putBack: () => void): Promise<void> {
  let failed = 0;
  for (let i = 0; i < ids.length; i += RESTORED_AT_ONCE) {
    const part = await Promise.allSettled(ids.slice(i, i + RESTORED_AT_ONCE).map(restored));
    failed += part.filter(({ status }) => status === "rejected").length;
  }
  putBack();
  if (failed > 0) toast(`${plural(failed, "memory", "memories")} could not be restored.`, { kind: "problem" });
}

/** Restores one, however long the server has it wait before it takes more. Throws CallProblem. */
async function restored(memory_id: string): Promise<void> {
  try {
    await call("restoreMemory", { path: { memory_id } });
  } catch (error) {
    const { code, retry_after } = asProblem(error);
    if (code !== "RATE_LIMITED") throw error;
    await new Promise((rested) => setTimeout(rested, (retry_after ?? 1) * 1_000));
    await restored(memory_id);
  }
}

/** Moves a memory to a status by hand, with a way back; `moved` is told when it was taken. Throws CallProblem. */
export async function moveTo(seen: Seen, status: MemoryStatus, words: string, moved: () => void): Promise<void> {
  const { id: memory_id, version } = seen;
  const { old_status } = await call("changeMemoryStatus", { path: { memory_id }, body: { status }, version });
  const undo = async () => {
    await call("changeMemoryStatus", { path: { memory_id }, body: { status: old_status } });
    moved();
  };
  toast(words, { undo });
}
