import { DAY_MS } from "../../core/kernel/clock.ts";
import type { ForgeRun } from "../../core/schema/forge.ts";

/** A run that is not over after this long keeps no other from being asked for. */
const GIVEN_UP_MS = DAY_MS;

/** Whether a run makes another one needless; one that lies ahead of a clock since put back tells nothing. */
export function isEnough(
  { requested_at, finished_at }: Pick<ForgeRun, "requested_at" | "finished_at">,
  quietMs: number,
  nowMs: number,
): boolean {
  const age = nowMs - Date.parse(requested_at);
  return age >= 0 && age < (finished_at === null ? Math.max(quietMs, GIVEN_UP_MS) : quietMs);
}
