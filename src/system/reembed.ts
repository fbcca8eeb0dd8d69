import { requireOwner } from "../access/trust.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { ReembedRequest, ReembedState } from "../core/schema/keeping/reembed.ts";

/** Which model answers, and how far another is. For the owner of the machine. */
export async function reembedState(ctx: Ctx): Promise<ReembedState> {
  requireOwner(ctx);
  return ctx.reembedding.state();
}

/** Does what is asked of the change to another model, and answers at once. For the owner of the machine: it is of all tenants. */
export async function changeModel(ctx: Ctx, { action = "begin", model }: ReembedRequest): Promise<ReembedState> {
  requireOwner(ctx);
  const { reembedding } = ctx;
  if (model !== undefined && action !== "begin")
    throw new AppError("BAD_REQUEST", `A model is named to begin with it, not to ${action.replace("_", " ")}.`);
  if (action === "begin") {
    if (model === undefined) throw new AppError("BAD_REQUEST", "Name the model that is to read what is stored.");
    await reembedding.begin(model);
  } else if (action === "drop_old") await reembedding.dropOld();
  else await reembedding[action]();
  return reembedding.state();
}
