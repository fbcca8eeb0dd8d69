import type { Ctx } from "../core/ports/context.ts";
import type { TrialErased, TrialPath } from "../core/schema/trial.ts";
import { madeAt } from "../core/schema/trial.ts";
import { requireOwner } from "./trust.ts";

/** Whoever made one that is older was cut off before it could be erased. */
const ABANDONED_MS = 60 * 60_000;

/** Erases a throwaway tenant without a trace, and those that were abandoned. For the owner of the machine only. */
export async function eraseTrial(ctx: Ctx, { trial }: TrialPath): Promise<TrialErased> {
  requireOwner(ctx);
  const { trials } = ctx.storage;
  const before = ctx.clock.now() - ABANDONED_MS;
  const others = (await trials.list()).filter((other) => other !== trial && (madeAt(other) ?? before) < before);
  for (const other of others) await trials.erase(other);
  return trials.erase(trial);
}
