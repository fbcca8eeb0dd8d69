import type { MemoryItem } from "../../../src/core/schema/memory.ts";
import type { Dice, MadeUpRow } from "../text.ts";

/** What a filter can narrow a search of a filled folder to: a part of the rows, in percent of all. */
export const SHARES = [0.1, 1, 10] as const;
export type Share = (typeof SHARES)[number];

/** The tenant of one row in a thousand. */
export const SMALL_TENANT = "small";
/** One row in so many is the small tenant's. */
export const SMALL_EVERY = 1_000;
/** Agents that write what none of the named shares holds. */
const OTHER_AGENTS = 20;

export const agentOf = (share: Share): string => `agent-${share}`;
export const runOf = (share: Share): string => `run-share-${share}`;
/** The metadata of a share's rows. */
export const metadataOf = (share: Share) => ({ share: String(share) });
/** The type and the status of a share's rows. */
export const TYPE_AND_STATUS = {
  0.1: { memory_type: "decision", status: "confirmed" },
  1: { memory_type: "preference", status: "confirmed" },
  10: { memory_type: "episode", status: "confirmed" },
} as const satisfies Record<Share, Pick<MemoryItem, "memory_type" | "status">>;

/** A row to file, and who writes it. */
export interface FiledRow {
  readonly agent_id: string;
  readonly item: MemoryItem;
}

/**
 * Files a made-up row: drawn by itself for each filter, so that a share is spread evenly over all else, vectors included.
 * Where a run of a share takes a row, its made-up run loses it.
 */
export function fileRow(row: MadeUpRow, dice: Dice, number: number): FiledRow {
  const [author, run, marked, typed] = [draw(dice), draw(dice), draw(dice), draw(dice)];
  const other = `agent-other-${Math.floor(dice() * OTHER_AGENTS)}`;
  return {
    agent_id: author === null ? other : agentOf(author),
    item: {
      content: row.content,
      run_id: run === null ? row.run_id : runOf(run),
      metadata: { number, ...(marked === null ? {} : metadataOf(marked)) },
      ...(typed === null ? { memory_type: "fact", status: "active" } : TYPE_AND_STATUS[typed]),
    },
  };
}

/** The share that the dice put a row into, if any. */
function draw(dice: Dice): Share | null {
  let left = dice() * 100;
  for (const share of SHARES) {
    if (left < share) return share;
    left -= share;
  }
  return null;
}
