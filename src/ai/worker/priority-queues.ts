/** Questions of searches, other inputs that somebody waits for, and what nobody waits for; each goes before the next. */
export const PRIORITIES = ["question", "interactive", "background"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** One input waiting for its turn. */
export interface Waiting {
  readonly model: string;
  readonly tokens: number;
}

/** Bounded queues, each in order of arrival. */
export interface PriorityQueues<T extends Waiting> {
  /** False, and nothing is added, when the queue cannot hold all of the items. */
  add(priority: Priority, items: readonly T[]): boolean;
  /** The next items of one queue and the model of its first, at least one if any waits, up to a number of tokens. */
  take(priority: Priority, maxTokens: number): T[];
  /** Puts back what was taken, before all others. */
  restore(priority: Priority, items: readonly T[]): void;
  /** What waits in a queue. */
  waiting(priority: Priority): readonly T[];
  /** Removes and returns what matches. */
  remove(matches: (item: T) => boolean): T[];
}

/** Empty queues, one a priority, each with a limit of items. */
export function createPriorityQueues<T extends Waiting>(limits: Readonly<Record<Priority, number>>): PriorityQueues<T> {
  const queues: Record<Priority, T[]> = { question: [], interactive: [], background: [] };
  return {
    add(priority, items) {
      if (queues[priority].length + items.length > limits[priority]) return false;
      queues[priority].push(...items);
      return true;
    },
    take(priority, maxTokens) {
      const slice = new Set(nextSlice(queues[priority], maxTokens));
      queues[priority] = queues[priority].filter((item) => !slice.has(item));
      return [...slice];
    },
    restore(priority, items) {
      queues[priority] = [...items, ...queues[priority]];
    },
    waiting: (priority) => queues[priority],
    remove(matches) {
      const removed = PRIORITIES.flatMap((priority) => queues[priority]).filter(matches);
      for (const priority of PRIORITIES) queues[priority] = queues[priority].filter((item) => !matches(item));
      return removed;
    },
  };
}

/** Others ask other models in between: what is for the first one's model goes together, up to its next item that does not fit. */
function nextSlice<T extends Waiting>(queue: readonly T[], maxTokens: number): T[] {
  const slice: T[] = [];
  let tokens = 0;
  for (const item of queue) {
    if (item.model !== queue[0]?.model) continue;
    tokens += item.tokens;
    if (slice.length > 0 && tokens > maxTokens) break;
    slice.push(item);
  }
  return slice;
}
