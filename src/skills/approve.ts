import { toTimestamp } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { Ctx } from "../ports/context.ts";
import type { StoredDocument } from "../ports/document-store.ts";
import type { ApproveBody, InboxMoved } from "../schema/skill.ts";
import { bindingOf, UNBOUND } from "./binding.ts";
import { skillHash } from "./fingerprint.ts";
import type { ReviewAddress } from "./reviewed.ts";
import { review, underReview } from "./reviewed.ts";
import { fault } from "./rules.ts";
import { scanned } from "./stamps.ts";

/**
 * Delivers a staged skill from now on. It is scanned once more, by the rules of today. Throws CONFLICT when it is not
 * staged, is not what the reviewer saw, or is an update whose target changed; INVALID_ARGUMENTS when it is not clean.
 */
export async function approveSkill(ctx: Ctx, address: ReviewAddress, body: ApproveBody): Promise<InboxMoved> {
  const { skill, factory } = await underReview(ctx, address, "approve");
  requireHash(skill, body?.content_hash ?? null);
  const at = toTimestamp(ctx.clock.now());
  const { scan } = scanned(skill.data, factory, at);
  if (scan.state !== "clean")
    throw fault(
      "scan",
      `is ${scan.state} now: edit or reject the skill; the scan of today finds critical faults in it`,
    );
  return review(ctx, {
    seen: skill,
    move: "approve",
    set: { scan, deferred_at: null },
    requires: (current, family) => {
      const binding = bindingOf(current, family);
      if (binding !== "bound")
        throw new AppError("CONFLICT", `This update does not fit any more: ${UNBOUND[binding]}.`);
    },
  });
}

/** What is approved is what was stored, and what the reviewer saw. */
function requireHash({ data }: StoredDocument, reviewed: string | null): void {
  const { content_hash, content } = data;
  if (typeof content_hash !== "string") throw fault("content_hash", "is missing: write the skill again");
  if (typeof content === "string" && skillHash(content) !== content_hash)
    throw new AppError("CONFLICT", "The content is not what its hash was made of.");
  if (reviewed !== null && reviewed !== content_hash)
    throw new AppError("CONFLICT", "The content is not what was reviewed. Read it again.", { content_hash });
}
