import { AppError } from "../core/kernel/errors.ts";
import { sha256 } from "../core/kernel/hash.ts";
import { canonicalJson } from "../core/kernel/json.ts";
import { describeCause } from "../core/kernel/log.ts";
import type { KeptReply, ReplyKey } from "../core/ports/account-stores.ts";
import type { Ctx } from "../core/ports/context.ts";

/** Tells a reply that was given before from one that is new. */
export const REPLAYED = { "Idempotency-Replayed": "true" } as const;

const KEY_MAX = 255;
/** How often, and how many times, a second caller looks whether the first has finished. */
const POLL_MS = 100;
const POLLS_MAX = 100;

/** The key of a request, or null without one. Throws BAD_REQUEST for a blank or overlong one. */
export function idempotencyKey(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  if (key === null) return null;
  if (key.trim() === "") throw new AppError("BAD_REQUEST", "Idempotency-Key must not be blank.");
  if (key.length > KEY_MAX) throw new AppError("BAD_REQUEST", `Idempotency-Key is longer than ${KEY_MAX} characters.`);
  return key;
}

export interface Replayable extends KeptReply {
  readonly replayed: boolean;
}

/**
 * Runs a request once a key: whoever comes again with the same request gets the kept reply. A failure gives the key back
 * at once. Throws INVALID_ARGUMENTS when the key was used for another request, CONFLICT when the first still runs.
 */
export async function replayOr(
  ctx: Ctx,
  key: ReplyKey,
  request: { operation: string; input: unknown },
  run: (attempt: string) => Promise<KeptReply>,
): Promise<Replayable> {
  const request_hash = sha256(canonicalJson(request));
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    const claim = await ctx.storage.replies.claim(key, request_hash, ctx.clock.now());
    if (claim.state === "claimed") {
      return { ...(await runClaimed(ctx, key, () => run(claim.attempt))), replayed: false };
    }
    if (claim.state === "done") return { ...claim.reply, replayed: true };
    if (claim.state === "other_request") throw reused();
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
  throw new AppError("CONFLICT", "The first request with this Idempotency-Key is still in progress. Try again later.");
}

async function runClaimed(ctx: Ctx, key: ReplyKey, run: () => Promise<KeptReply>): Promise<KeptReply> {
  const { replies } = ctx.storage;
  const warn = (event: string) => (cause: unknown) => ctx.log.warn(event, { cause: describeCause(cause) });
  const reply = await run().catch(async (error: unknown) => {
    await replies.release(key).catch(warn("idempotency key kept"));
    throw error;
  });
  // What is done is done: a reply that cannot be kept is still the answer to this caller. The next one takes the key over
  // under the same name of the attempt, as after a crash.
  await replies.keep(key, reply).catch(warn("reply not kept"));
  return reply;
}

const reused = (): AppError =>
  new AppError("INVALID_ARGUMENTS", "Idempotency-Key reused with a different request body.", {
    loc: ["header", "idempotency-key"],
  });
