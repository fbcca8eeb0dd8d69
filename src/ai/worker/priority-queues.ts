import type { EmbedPriority } from "../../core/ports/embedder.ts";

/** One input waiting for its turn. */
export interface Waiting {
  readonly model: string;
  readonly tokens: number;
}

/** Two bounded queues: what is interactive always goes first, in order of arrival within each. */
export interface PriorityQueues<T extends Waiting> {
  /** False, and nothing is added, when the queue cannot hold all of the items. */
  add(priority: EmbedPriority, items: readonly T[]): boolean;
  /** The next items of one queue and one model, at least one if any waits, up to a number of tokens. */
  take(maxTokens: number): T[];
  /** What waits in a queue. */
  waiting(priority: EmbedPriority): readonly T[];
  /** Removes and returns what matches. */
  remove(matches: (item: T) => boolean): T[];
}

/** Empty queues, one a priority, each with a limit of items. */
export function createPriorityQueues<T extends Waiting>(
  limits: Readonly<Record<EmbedPriority, number>>,
): PriorityQueues<T> {
  const queues: Record<EmbedPriority, T[]> = { interactive: [], background: [] };
  return {
    add(priority, items) {
      if (queues[priority].length + items.length > limits[priority]) return false;
      queues[priority].push(...items);
      return true;
    },
    take(maxTokens) {
      const queue = queues.interactive.length > 0 ? queues.interactive : queues.background;
      return queue.splice(0, sliceLength(queue, maxTokens));
    },
    waiting: (priority) => queues[priority],
    remove(matches) {
      const removed = [...queues.interactive, ...queues.background].filter(matches);
      queues.interactive = queues.interactive.filter((item) => !matches(item));
      queues.background = queues.background.filter((item) => !matches(item));
      return removed;
    },
  };
}

function sliceLength(queue: readonly Waiting[], maxTokens: number): number {
  let tokens = 0;
  let count = 0;
  for (const item of queue) {
    tokens += item.tokens;
    if (count > 0 && (tokens > maxTokens || item.model !== queue[0]?.model)) break;
    count++;
  }
  return count;
}
