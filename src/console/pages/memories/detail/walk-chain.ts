import { call } from "../../../api/call.ts";
import type { LinkedMemory } from "../../../api/schemas.gen.ts";

/** What a memory superseded and what superseded it, by time. */
export interface Chain {
  /** Those before it, the oldest first. */
  readonly before: readonly LinkedMemory[];
  /** Those after it, the newest last. */
  readonly after: readonly LinkedMemory[];
  /** Whether there may be more of them in a direction than were looked at. */
  readonly isCut: boolean;
}

/** So many steps are walked in each direction. */
export const STEPS_MAX = 30;

/** Walks from a memory to what it superseded and what superseded it. Throws CallProblem. */
export async function walkChain(memory_id: string, signal: AbortSignal): Promise<Chain> {
  const seen = new Set([memory_id]);
  const unseen = (one: LinkedMemory): boolean => !seen.has(one.id) && seen.add(one.id).size > 0;
  const ask = (id: string) => call("getContradictions", { path: { memory_id: id } }, signal);
  // What is named superseded_by is the older one, by a historical name.
  const first = await ask(memory_id);
  const older = await walk([first.superseded_by].filter((one) => one !== null).filter(unseen), async (id) =>
    [(await ask(id)).superseded_by].filter((one) => one !== null).filter(unseen),
  );
  const newer = await walk(first.superseded_memories.filter(unseen), async (id) =>
    (await ask(id)).superseded_memories.filter(unseen),
  );
  return { before: byTime(older.found), after: byTime(newer.found), isCut: older.isCut || newer.isCut };
}

async function walk(from: readonly LinkedMemory[], next: (id: string) => Promise<readonly LinkedMemory[]>) {
  const found: LinkedMemory[] = [...from];
  let at = 0;
  for (; at < found.length && at < STEPS_MAX; at++) {
    const one = found[at];
    if (one) found.push(...(await next(one.id)));
  }
  return { found, isCut: at < found.length };
}

const byTime = (memories: readonly LinkedMemory[]): LinkedMemory[] =>
  memories.toSorted((a, b) => a.created_at.localeCompare(b.created_at, "en"));
