import { actorOf } from "../access/actor.ts";
import { isPerson } from "../access/person.ts";
import { ACTIVE } from "../access/skill-visibility.ts";
import { toTimestamp } from "../core/kernel/clock.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { JsonObject } from "../core/kernel/json.ts";
import type { Ctx, Services } from "../core/ports/context.ts";
import type { StoredDocument } from "../core/ports/document-store.ts";
import type { Actor } from "../core/ports/memory-store.ts";
import type { DocumentWrite } from "../core/schema/document.ts";
import type { SkillApproval } from "../core/schema/skill.ts";
import { skillDigest } from "../core/schema/skill.ts";
import type { SkillsFactory } from "./lifecycle/factory.ts";
import { scanned } from "./lifecycle/scan-verdict.ts";

/** An approval that is not yet bound to a text. */
export type Word = Omit<SkillApproval, "digest">;

/** Somebody's word, given now. */
export const wordOf = ({ clock }: Pick<Services, "clock">, by: Actor, way: SkillApproval["way"]): Word => ({
  way,
  by: by.agent_id,
  auth_source: by.auth_source,
  at: toTimestamp(clock.now()),
});

/** A word for what a skill says, and for nothing else. */
export const approvalFor = (word: Word, data: JsonObject): SkillApproval => ({ ...word, digest: skillDigest(data) });

/** Whether somebody gave his word for what a skill says now. */
export const isApproved = ({ approval, data }: Pick<StoredDocument, "approval" | "data">): boolean =>
  approval !== null && approval.digest === skillDigest(data);

/** Whether a skill is delivered: approved as it is, and where the tenant governs its skills, active. */
export const isDelivered = (skill: StoredDocument, { enabled }: Pick<SkillsFactory, "enabled">): boolean =>
  isApproved(skill) && (!enabled || skill.data.status === ACTIVE);

/** Sources that say themselves that no person wrote it. */
const OF_NO_PERSON: ReadonlySet<unknown> = new Set(["agent", "forge", "imported"]);

/**
 * The word that lies in a person's writing a skill, where no inbox asks for it. Null for what an agent wrote or is named for, and
 * for what the scan does not find clean or cannot read in time: that waits for an approval.
 */
export async function writersWord(
  ctx: Ctx,
  { data, agent_id }: Pick<DocumentWrite, "data" | "agent_id">,
  factory: SkillsFactory,
): Promise<SkillApproval | null> {
  const isWrittenByPerson = isPerson(ctx) && agent_id == null && !OF_NO_PERSON.has(data.source);
  if (!isWrittenByPerson || !(await isFitToDeliver(ctx, data, factory))) return null;
  return approvalFor(wordOf(ctx, actorOf(ctx), "written"), data);
}

/** Whether a word may be kept for a skill as it is: it can be a file, and the scan of today reads it in time and finds it clean. */
export async function isFitToDeliver(services: Services, data: JsonObject, factory: SkillsFactory): Promise<boolean> {
  if (!isDeliverable(data)) return false;
  try {
    return (await scanned(services, data, factory)).scan.state === "clean";
  } catch (error) {
    // A document like any other is stored whatever becomes of the scan.
    if (error instanceof AppError && error.code === "UNAVAILABLE") return false;
    throw error;
  }
}

/** Whether it has what a file of a skill is made of. */
export const isDeliverable = ({ description, content }: JsonObject): boolean => isText(description) && isText(content);

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
