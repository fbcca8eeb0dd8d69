import { requireTenant } from "../../access/tenant.ts";
import { toTimestamp } from "../../core/kernel/clock.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { ChangeEvent, Topic } from "../../core/schema/observing/changes.ts";
import { TOPICS } from "../../core/schema/observing/changes.ts";
import { RELEASE } from "../../version.ts";

/** Whatever changes within so many milliseconds is told once. */
const TOGETHER_MS = 300;

/** Told to the owner of the machine alone. */
const OF_OWNER: readonly Topic[] = ["backups"];

/** What a watcher is told: `hello` once, then `change`. */
export interface WatchedEvent {
  readonly event: "hello" | "change";
  readonly data: ChangeEvent;
}

/**
 * What changes in the caller's tenant from now on, until the server stops or the iterator is given back. However slowly it is
 * read, no more is kept for it than which topics changed.
 */
export function watchChanges(ctx: Ctx): AsyncIterable<WatchedEvent> {
  const tenant_id = requireTenant(ctx);
  return { [Symbol.asyncIterator]: () => follow(ctx, tenant_id) };
}

function follow(ctx: Ctx, tenant_id: string): AsyncIterator<WatchedEvent> {
  const { changes, clock, principal } = ctx;
  const changed = new Set<Topic>();
  let isGreeted = false;
  let isDue = false;
  let hasEnded = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let wake = () => {};
  const tell = () => {
    timer = null;
    isDue = true;
    wake();
  };
  const end = () => {
    hasEnded = true;
    if (timer) clearTimeout(timer);
    wake();
  };
  const unsubscribe = changes.subscribe(tenant_id, {
    changed: (topics) => {
      for (const topic of topics) if (principal.owner || !OF_OWNER.includes(topic)) changed.add(topic);
      if (changed.size > 0) timer ??= setTimeout(tell, TOGETHER_MS);
    },
    ended: end,
  });
  return {
    async next() {
      if (!isGreeted) {
        isGreeted = true;
        return { value: { event: "hello", data: helloOf(ctx) } };
      }
      while (!isDue && !hasEnded) {
        const told = Promise.withResolvers<void>();
        wake = told.resolve;
        await told.promise;
      }
      if (hasEnded) return { done: true, value: undefined };
      isDue = false;
      const topics = TOPICS.filter((topic) => changed.has(topic));
      changed.clear();
      return { value: { event: "change", data: { topics, at: toTimestamp(clock.now()) } } };
    },
    async return() {
      unsubscribe();
      end();
      return { done: true, value: undefined };
    },
  };
}

const helloOf = ({ started_at }: Ctx): ChangeEvent => ({
  server_started_at: toTimestamp(started_at),
  release: RELEASE,
});
