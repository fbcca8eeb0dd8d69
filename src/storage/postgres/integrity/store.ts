import type { Clock } from "../../../core/kernel/clock.ts";
import type { IndexStore } from "../../../core/ports/storage.ts";
import type { Engine } from "../engine/work.ts";
import { rebuildStep } from "./rebuild.ts";
import { inspect } from "./steps.ts";

/** Checks what is derived from the rows, and rebuilds it. What removed rows leave in an index, the database takes out by itself. */
export const postgresIndexStore = (engine: Engine, clock: Clock): IndexStore => ({
  inspect: (tenant, tell) => inspect(engine, { space: engine.space, tenant }, tell),
  mergeWords: async () => false,
  rebuild: (place, textOf) => rebuildStep(engine, place, { nowMs: clock.now(), textOf }),
});
