import { toTimestamp } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import type { Services } from "../../core/ports/context.ts";
import type { StoredDocument } from "../../core/ports/document-store.ts";
import type { Actor } from "../../core/ports/memory-store.ts";
import type { ScanReport } from "../../core/ports/skill-scanner.ts";
import type { SkillChange } from "../../core/ports/skill-store.ts";
import type { Job } from "../../core/schema/job.ts";
import { SKILL_UPDATES, SKILLS } from "../../core/schema/skill.ts";
import { embedDocumentJobs } from "../../documents/embed.ts";
import { searchableOf } from "../../documents/searchable.ts";
import { embedSummary, fleetUnnamed } from "../../documents/write.ts";
import type { Word } from "../approval.ts";
import { approvalFor } from "../approval.ts";
import { liveOf, targetOf, UNBOUND } from "./binding.ts";
import type { SkillsFactory } from "./factory.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { CheckedSkill } from "./rules.ts";
import { addressFor, checkSkill, fault, NO_TARGET } from "./rules.ts";
import { scanned, stamped, withoutOwn } from "./scan-verdict.ts";
import type { SkillRole } from "./transitions.ts";
import { mayReplace } from "./transitions.ts";

export interface SkillWrite {
  readonly tenant_id: string;
  readonly doc_id: string;
  /** The fleet of whoever writes. */
  readonly fleet_id: string | null;
  /** The fleet that the writer names; null for none. */
  readonly named_fleet: string | null;
  readonly data: JsonObject;
  readonly role: SkillRole;
  /** Whom the skill names as its author. */
  readonly agent_id: string | null;
  readonly actor: Actor;
  readonly factory: SkillsFactory;
  /** Embeds the summary before the write instead of leaving it to the jobs. */
  readonly embedNow: boolean;
  /** On which it is delivered at once, where it is written as active and clean. */
  readonly word: Word | null;
  /** Throws what else keeps the writer from replacing this document. */
  readonly guard?: (current: StoredDocument) => void;
  /** Throws where this, or that there is none, is not what the writer takes the skill to be. */
  readonly asSeen?: (current: StoredDocument | null) => void;
  /** Whether the writer may know of a skill; what it cannot see it cannot update. */
  readonly sees?: (skill: StoredDocument) => boolean;
}

/**
 * Stores a skill by every rule of the factory. Throws INVALID_ARGUMENTS for a fault of form or a fatal finding, FORBIDDEN
 * for what is not the writer's to write, NOT_FOUND and CONFLICT for an update that does not fit what it changes, and
 * CONFLICT for a text that was rejected not long ago.
 */
export async function storeSkill(services: Services, write: SkillWrite): Promise<StoredDocument> {
  const { tenant_id, role, factory } = write;
  const checked = checkSkill(write.data, role, factory);
  const doc_id = addressFor(write.doc_id, checked);
  const data = withoutOwn(write.data, role);
  const now = toTimestamp(services.clock.now());
  const { report, contained, scan } = await scanned(services, data, factory);
  if (report.fatal) throw refusedByScan(report.findings);
  if (role === "agent" || role === "worker") await requireUnpoisoned(services, write, { data, at: now });
  const status = contained ? "quarantined" : checkedBy(report, checked.status);
  const collection = await placeOf(services, write, { doc_id, kind: checked.kind, status });
  const summary = searchableOf(SKILLS, doc_id, data)?.summary ?? "";
  const vector = write.embedNow && collection === SKILLS ? await embedSummary(services, summary) : null;
  // What the factory makes has bounds of its own.
  const documents_limit = role === "worker" ? undefined : services.limits.documents_limit;
  const { after } = await services.storage.skills.change(
    { tenant_id, collection, doc_id },
    write.actor,
    (current, family) => {
      if (current) requireReplaceable(write, current);
      // An update that waits is written by who saw the skill that it is to change.
      write.asSeen?.(current ?? family.find((skill) => skill.doc_id === doc_id) ?? null);
      const target = checked.kind === "update" ? targetFor(data, family.filter(write.sees ?? (() => true))) : null;
      const { content } = checked;
      const before = current?.data;
      const bound = target && { target_content_hash: target.hash, doc_id: target.skill.doc_id };
      const stored = stamped(data, { status, content, scan, target: bound, agent_id: write.agent_id, before, at: now });
      // An update stays with those who have what it changes.
      const fleet_id = target ? target.skill.fleet_id : (write.named_fleet ?? fleetUnnamed(current, write.fleet_id));
      return {
        ...changeOf({ collection, doc_id, fleet_id, data: stored }),
        vector,
        embedded_by: vector ? services.embedder.id : null,
        approval: approvalOf(write, stored, scan),
        documents_limit,
        action: current ? "skill.update" : "skill.create",
      };
    },
  );
  return after;
}

/** Whoever writes a skill as active gives his word for it. */
const approvalOf = ({ word }: SkillWrite, stored: JsonObject, scan: JsonObject) =>
  word !== null && stored.status === "active" && scan.state === "clean" ? approvalFor(word, stored) : null;

/** With containment off, what the scan finds critical waits for a person to edit it, whoever wrote it. */
const checkedBy = ({ critical }: ScanReport, status: CheckedSkill["status"]): CheckedSkill["status"] =>
  critical > 0 && status === "active" ? "staged" : status;

/** What a change of a skill writes whatever it does: the row, its words, and an audit row that tells the move. */
export function changeOf({
  collection,
  doc_id,
  fleet_id,
  data,
}: Pick<StoredDocument, "collection" | "doc_id" | "fleet_id" | "data">): Omit<SkillChange, "action"> {
  return {
    fleet_id,
    data,
    // An update that waits is nobody's to find.
    searchable: collection === SKILLS ? searchableOf(SKILLS, doc_id, data) : null,
    vector: null,
    embedded_by: null,
    shown: ["status", "content_hash", "kind"],
    jobsFor: (document) => [...embedDocumentJobs(document), ...jobsAfter(document)],
  };
}

/**
 * Where a skill is stored: the update of an active skill that is not active itself waits beside it, whoever wrote it, so
 * that the skill is delivered until the update is approved.
 */
async function placeOf(
  { storage }: Services,
  { tenant_id, role }: SkillWrite,
  { doc_id, kind, status }: Pick<CheckedSkill, "kind" | "status"> & { readonly doc_id: string },
): Promise<string> {
  if (role === "worker" || kind !== "update" || status === "active") return SKILLS;
  const there = await storage.documents.get({ tenant_id, collection: SKILLS, doc_id });
  return there?.data.status === "active" ? SKILL_UPDATES : SKILLS;
}

/** The work that a skill's new status asks for. */
function jobsAfter({ tenant_id, data }: StoredDocument): Job[] {
  if (data.status === "candidate") return [{ kind: "promote_skills", payload: { tenant_id, offset: 0 } }];
  return data.status === "active" ? [{ kind: "review_skills", payload: { tenant_id } }] : [];
}

function refusedByScan(findings: readonly { fatal: boolean; code: string; locator?: string; message: string }[]) {
  const fatal = findings.filter((finding) => finding.fatal);
  const told = fatal.slice(0, FINDINGS_TOLD).map(({ code, locator, message }) => `${code}: ${locator} ${message}`);
  return new AppError("INVALID_ARGUMENTS", `The scan refuses this skill. ${told.join("; ")}.`, {
    loc: ["body", "data", fatal[0]?.locator ?? ""],
  });
}

const FINDINGS_TOLD = 5;

/** What was rejected lately is not taken again under the same words; administrators may change their minds. */
async function requireUnpoisoned(
  { storage }: Services,
  { tenant_id, named_fleet, fleet_id: home }: SkillWrite,
  { data, at }: { readonly data: JsonObject; readonly at: string },
): Promise<void> {
  const fingerprint = fingerprintOf(data);
  const fleet_id = named_fleet ?? home;
  const until = await storage.skills.denylistedUntil({ tenant_id, fleet_id, fingerprint, at });
  if (until === null) return;
  throw new AppError("CONFLICT", `This skill was rejected; the same text is not taken again before ${until}.`, {
    poisoned_until: until,
  });
}

function requireReplaceable({ role, guard }: SkillWrite, current: StoredDocument): void {
  guard?.(current);
  const { status } = current.data;
  if (mayReplace(role, status)) return;
  if (role === "worker")
    throw new AppError("CONFLICT", `'${current.doc_id}' is no candidate any more.`, { status: status ?? null });
  throw new AppError(
    "FORBIDDEN",
    `'${current.doc_id}' is ${status}; only an administrator replaces it. Propose a change with kind update and the hash of what it changes.`,
  );
}

/** What an update changes, by the hash that its writer names. Throws when it is not what the writer had seen. */
function targetFor(data: JsonObject, family: readonly StoredDocument[]): { hash: string; skill: StoredDocument } {
  const { hash } = targetOf(data);
  if (hash === null) throw fault("target", NO_TARGET);
  const live = liveOf(family);
  const skill = live.find((one) => one.data.content_hash === hash);
  if (skill) return { hash, skill };
  if (live.length === 0) throw new AppError("NOT_FOUND", `There is nothing to update: ${UNBOUND.no_live_skill}.`);
  const unhashed = live.every((one) => typeof one.data.content_hash !== "string");
  throw new AppError("CONFLICT", `This update does not fit: ${unhashed ? UNBOUND.no_live_hash : UNBOUND.other_hash}.`, {
    live: live.map(({ doc_id, data: { content_hash } }) => ({ doc_id, content_hash: content_hash ?? null })),
  });
}
