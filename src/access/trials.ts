import type { Ctx } from "../ports/context.ts";
import type { TrialErased, TrialPath } from "../schema/trial.ts";
import { requireOwner } from "./trust.ts";

/** Erases a throwaway tenant without a trace. For the owner of the machine only. */
export async function eraseTrial(ctx: Ctx, { trial }: TrialPath): Promise<TrialErased> {
  requireOwner(ctx);
  return ctx.storage.trials.erase(trial);
}
