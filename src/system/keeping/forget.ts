import { actorOf } from "../../access/actor.ts";
import { requireOwner } from "../../access/trust.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { yieldToEventLoop } from "../../core/kernel/event-loop.ts";
import type { Ctx } from "../../core/ports/context.ts";
import { firstMoment } from "../../core/schema/common.ts";
import type { ForgetRequest, Forgotten } from "../../core/schema/keeping/forget.ts";
import { sumOfCounts } from "../../core/schema/keeping/forget.ts";
import type { Asked } from "./forget-steps.ts";
import { FORGET_STEPS, unknownPlace } from "./forget-steps.ts";

/** How long one request goes on; what is left the next ones do. */
const REQUEST_MS = 2_000;

/**
 * Erases for good what passes every filter, or counts it, for some seconds; the reply says where to go on. What is erased
 * already is passed over, so that one that was interrupted is begun again. For the owner of the machine, in any tenant. Throws
 * BAD_REQUEST without a filter.
 */
export async function forget(ctx: Ctx, asked: ForgetRequest): Promise<Forgotten> {
  requireOwner(ctx);
  const request = askedFor(asked);
  const { agent_id, fleet_id, before, match, dry_run } = request;
  if ([agent_id, fleet_id, before, match].every((filter) => filter === undefined))
    throw new AppError(
      "BAD_REQUEST",
      "Say what to forget: agent_id, fleet_id, shared_only, before, match, or several of them.",
    );
  const steps = FORGET_STEPS.filter((step) => step.isAsked(request));
  let counts = sumOfCounts([]);
  const deadline = performance.now() + REQUEST_MS;
  let { index, at } = placeOf(request.next, steps);
  do {
    const done = await (steps[index] ?? unknownPlace()).run(ctx, request, at);
    counts = sumOfCounts([counts, done.counts]);
    if (done.at === null) index++;
    at = done.at ?? "";
    await yieldToEventLoop();
  } while (index < steps.length && performance.now() < deadline);
  const now = steps[index]?.name ?? null;
  if (now === null && !dry_run) await forgetProject(ctx, request);
  return {
    dry_run,
    counts,
    now: now ?? "",
    next: now === null ? null : `${now}:${at}`,
    ...(now === null ? await remaining(ctx) : NONE_TOLD),
  };
}

/** Of a project of which nothing is to be left, its names, remotes and folders go, too. */
async function forgetProject(ctx: Ctx, { tenant_id, fleet_id, agent_id, before, match }: Asked): Promise<void> {
  if (fleet_id == null || [agent_id, before, match].some((filter) => filter !== undefined)) return;
  await ctx.storage.projects.forget(tenant_id, fleet_id, actorOf(ctx));
}

const askedFor = ({ shared_only, ...asked }: ForgetRequest): Asked => ({
  ...asked,
  fleet_id: shared_only ? null : asked.fleet_id,
  before: firstMoment(asked.before, asked.utc_offset_minutes),
});

const NONE_TOLD = { backups: [], copies: [] };

function placeOf(next: string | undefined, steps: readonly { readonly name: string }[]): { index: number; at: string } {
  if (next === undefined) return { index: 0, at: "" };
  const end = next.indexOf(":");
  const index = steps.findIndex(({ name }) => name === next.slice(0, end));
  return index < 0 ? unknownPlace() : { index, at: next.slice(end + 1) };
}

/** What no erasure reaches, as far as it lies in the data folder. */
async function remaining({ storage }: Ctx): Promise<Pick<Forgotten, "backups" | "copies">> {
  const { backups } = storage;
  return { backups: (await backups.list()).backups, copies: await backups.copies() };
}
