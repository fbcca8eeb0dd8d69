import { actorOf } from "../../access/actor.ts";
import { toTimestamp } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { StoredDocument } from "../../core/ports/document-store.ts";
import type { ScanReport } from "../../core/ports/skill-scanner.ts";
import type { ApproveBody, InboxMoved } from "../../core/schema/skill.ts";
import { SKILL_UPDATES, SKILLS, skillDigest } from "../../core/schema/skill.ts";
import type { Word } from "../approval.ts";
import { approvalFor, wordOf } from "../approval.ts";
import { bindingOf, UNBOUND } from "./binding.ts";
import type { SkillsFactory } from "./factory.ts";
import { skillHash } from "./fingerprint.ts";
import { isOther } from "./move.ts";
import type { ReviewAddress } from "./reviewed.ts";
import { review, underReview } from "./reviewed.ts";
import { fault } from "./rules.ts";
import { scanned } from "./scan-verdict.ts";
import { changeOf } from "./store.ts";
import { moved } from "./transitions.ts";

/**
 * Delivers a staged skill from now on. It is scanned once more, by the rules of today. Throws CONFLICT when it is not
 * staged, is not what the reviewer saw, or is an update whose target changed; INVALID_ARGUMENTS when it is not clean.
 */
export async function approveSkill(ctx: Ctx, address: ReviewAddress, body: ApproveBody): Promise<InboxMoved> {
  const { skill, scan } = await approvable(ctx, address, body);
  const set = { scan, deferred_at: null };
  const word = wordOf(ctx, actorOf(ctx), "approved");
  if (skill.collection === SKILL_UPDATES) return takePlace(ctx, skill, { set, word });
  return review(ctx, { seen: skill, move: "approve", set, word, requires: requireBound });
}

/** The skill that an approval delivers, and its scan of today. Throws what approving it throws before anything is changed. */
export async function approvable(
  ctx: Ctx,
  address: ReviewAddress,
  body: ApproveBody,
): Promise<{ readonly skill: StoredDocument; readonly scan: JsonObject }> {
  const { skill, factory } = await underReview(ctx, address, "approve");
  requireHash(skill, body?.content_hash ?? null);
  requireDigest(skill, body);
  return { skill, scan: await requireClean(ctx, skill.data, factory) };
}

/** What the scan of today says of a skill. Throws INVALID_ARGUMENTS for one that is not clean. */
export async function requireClean(ctx: Ctx, data: JsonObject, factory: SkillsFactory): Promise<JsonObject> {
  const { scan, report } = await scanned(ctx, data, factory);
  if (scan.state === "clean") return scan;
  const said = `is ${scan.state} now: edit or reject the skill; the scan of today finds critical faults in it`;
  throw fault("scan", `${said}: ${criticalOf(report)}`);
}

/** As many faults are named; the rest are counted. */
const NAMED_MAX = 5;

function criticalOf({ findings }: ScanReport): string {
  const critical = findings.filter(({ severity }) => severity === "critical");
  const named = critical.slice(0, NAMED_MAX).map(({ code, message, locator }) => {
    const place = locator === undefined ? "" : ` in ${locator}`;
    return `${code}${place} (${message})`;
  });
  const more = critical.length > NAMED_MAX ? `, and ${critical.length - NAMED_MAX} more` : "";
  return `${named.join(", ")}${more}`;
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

/** Whoever says what was reviewed says all of it: a hash of the content lets description and support files change. */
function requireDigest({ data }: StoredDocument, body: ApproveBody): void {
  const digest = skillDigest(data);
  if (body?.digest != null && body.digest !== digest)
    throw new AppError("CONFLICT", "The skill is not what was reviewed. Read it again.", { digest });
  if (body?.content_hash != null && body.digest == null)
    throw fault(
      "digest",
      "is missing: content_hash tells of the content alone; the card in the inbox tells the digest",
    );
}

function requireBound(update: StoredDocument, family: readonly StoredDocument[]): void {
  const binding = bindingOf(update, family);
  if (binding !== "bound") throw new AppError("CONFLICT", `This update does not fit any more: ${UNBOUND[binding]}.`);
}

/** An update that waited beside the skill at its own address becomes that skill. */
async function takePlace(
  ctx: Ctx,
  seen: StoredDocument,
  { set, word }: { readonly set: JsonObject; readonly word: Word },
): Promise<InboxMoved> {
  const { tenant_id, doc_id } = seen;
  const absorbs = { tenant_id, collection: SKILL_UPDATES, doc_id };
  const key = { tenant_id, collection: SKILLS, doc_id };
  const { after } = await ctx.storage.skills.change(key, actorOf(ctx), (live, family) => {
    const update = family.find((one) => one.id === seen.id);
    if (!update || isOther(update, seen))
      throw new AppError("CONFLICT", "This update changed meanwhile. Read it again.");
    const status = moved(update.data.status, "approve");
    requireBound(update, family);
    const { deferred_at: _deferred, ...said } = { ...update.data, ...set };
    const updated_at = toTimestamp(ctx.clock.now());
    const data = { ...said, status, updated_at, created_at: live?.data.created_at ?? updated_at };
    const change = changeOf({ ...key, fleet_id: update.fleet_id, data });
    return { ...change, approval: approvalFor(word, data), action: "skill.approve", absorbs };
  });
  return { slug: doc_id, previous_status: "staged", new_status: String(after.data.status), detail: null };
}
