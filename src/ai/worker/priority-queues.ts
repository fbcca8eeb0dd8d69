import type { EmbedPriority } from "../../core/ports/embedder.ts";

/** One input waiting for its turn. */
export interface Waiting {
  readonly model: string;
  readonly tokens: number;
}

/** Two bounded queues: what is interactive always goes first, in order of arrival within each. */
export interface PriorityQueues<T extends Waiting> {
  /** False, and nothing is added, when the lane cannot hold all of the items. */
  add(priority: EmbedPriority, items: readonly T[]): boolean;
  /** The next items of one lane and one model, at least one if any waits, up to a number of tokens. */
  take(maxTokens: number): T[];
  /** What waits in a lane. */
  waiting(priority: EmbedPriority): readonly T[];
  /** Removes and returns what matches. */
  remove(matches: (item: T) => boolean): T[];
}

export function createPriorityQueues<T extends Waiting>(
  limits: Readonly<Record<EmbedPriority, number>>,
): PriorityQueues<T> {
  const lanes: Record<EmbedPriority, T[]> = { interactive: [], background: [] };
  return {
    add(priority, items) {
      if (lanes[priority].length + items.length > limits[priority]) return false;
      lanes[priority].push(...items);
      return true;
    },
    take(maxTokens) {
      const lane = lanes.interactive.length > 0 ? lanes.interactive : lanes.background;
      return lane.splice(0, sliceLength(lane, maxTokens));
    },
    waiting: (priority) => lanes[priority],
    remove(matches) {
      const removed = [...lanes.interactive, ...lanes.background].filter(matches);
      lanes.interactive = lanes.interactive.filter((item) => !matches(item));
      lanes.background = lanes.background.filter((item) => !matches(item));
      return removed;
    },
  };
}

function sliceLength(lane: readonly Waiting[], maxTokens: number): number {
  let tokens = 0;
  let count = 0;
  for (const item of lane) {
    tokens += item.tokens;
    if (count > 0 && (tokens > maxTokens || item.model !== lane[0]?.model)) break;
    count++;
  }
  return count;
}
