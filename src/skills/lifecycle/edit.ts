import { requireDataFits } from "../../access/body-limits.ts";
import { toTimestamp } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { EditBody, InboxMoved } from "../../core/schema/skill.ts";
import { SKILLS } from "../../core/schema/skill.ts";
import { searchableOf } from "../../documents/searchable.ts";
import { embedSummary } from "../../documents/write.ts";
import { skillHash } from "./fingerprint.ts";
import type { ReviewAddress } from "./reviewed.ts";
import { review, underReview } from "./reviewed.ts";
import { fault, requireWithin } from "./rules.ts";
import { scanned } from "./scan-verdict.ts";

/**
 * Revises a staged skill and scans it again: it stays staged, or is quarantined when the scan finds something critical.
 * Throws CONFLICT when it is not staged, INVALID_ARGUMENTS for what no skill may hold.
 */
export async function editSkill(ctx: Ctx, address: ReviewAddress, body: EditBody): Promise<InboxMoved> {
  const { skill, factory } = await underReview(ctx, address, "edit");
  const edited = Object.fromEntries(
    Object.entries(body).flatMap(([name, text]) => (text == null ? [] : [[name, text]])),
  );
  for (const [name, text] of Object.entries(edited)) if (text.trim() === "") throw fault(name, "must not be blank");
  requireWithin(edited.description, "description", factory.description_max_bytes);
  requireWithin(edited.content, "content", factory.body_max_bytes);
  const now = toTimestamp(ctx.clock.now());
  const data = { ...skill.data, ...edited };
  requireDataFits(ctx, data);
  const { report, contained, scan } = await scanned(ctx, data, factory);
  if (report.fatal)
    throw new AppError("INVALID_ARGUMENTS", "The scan refuses this edit: something in it is too large.");
  const hash = edited.content === undefined ? {} : { content_hash: skillHash(edited.content) };
  const summary = searchableOf(SKILLS, skill.doc_id, data)?.summary ?? "";
  return review(ctx, {
    seen: skill,
    move: contained ? "contain" : "edit",
    set: { ...edited, ...hash, scan, edited_at: now, ...(contained ? { quarantined_at: now } : {}) },
    vector: summary === skill.summary ? null : await embedSummary(ctx, summary),
    detail: contained ? "quarantined by the scan" : null,
  });
}
