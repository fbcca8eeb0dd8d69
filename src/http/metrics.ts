import { once } from "../core/kernel/once.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { Meters } from "./meters.ts";

/** Requests are counted from the first one on; what counts them is loaded this long after it, off the way of a start. */
const LOAD_AFTER_MS = 1_000;

export interface Metrics {
  /** Counts one answered request. */
  observe(operation: string, status: number, seconds: number): void;
  /** The Prometheus text of this moment: of the whole for the owner of the machine, else of what concerns the caller's tenant. */
  render(ctx: Ctx, tenant_id: string): Promise<{ text: string; type: string }>;
}

/** Counters of this server; `count` is told of each request as well. */
export function createMetrics(count: Metrics["observe"]): Metrics {
  const early: Parameters<Metrics["observe"]>[] = [];
  let loaded: Meters | null = null;
  const load = once(async () => {
    const { createMeters } = await import("./meters.ts");
    loaded = createMeters();
    for (const request of early.splice(0)) loaded.observe(...request);
    return loaded;
  });
  return {
    observe: (...request) => {
      count(...request);
      if (loaded) return loaded.observe(...request);
      if (early.push(request) === 1) setTimeout(() => void load(), LOAD_AFTER_MS).unref();
    },
    render: async (ctx, tenant_id) => {
      const meters = await load();
      return ctx.principal.owner ? meters.render(ctx) : meters.renderOf(ctx, tenant_id);
    },
  };
}
