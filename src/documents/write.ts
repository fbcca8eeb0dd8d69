import { actorOf } from "../access/actor.ts";
import { requireDataFits } from "../access/body-limits.ts";
import { requireKnownCaller } from "../access/person.ts";
import { isVisibleSkill, skillVisibility } from "../access/skill-visibility.ts";
import { requireTenant } from "../access/tenant.ts";
import {
  ADMINISTER,
  requireFleetOfStored,
  requireFleetOfWriter,
  requireOwnIdentity,
  requireSharedWriter,
  requireTrust,
} from "../access/trust.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx, Services } from "../core/ports/context.ts";
import type { DocumentKey, StoredDocument } from "../core/ports/document-store.ts";
import type { Expected } from "../core/schema/common.ts";
import type { DocumentWrite, DocumentWritten } from "../core/schema/document.ts";
import type { SkillApproval } from "../core/schema/skill.ts";
import { skillDigest } from "../core/schema/skill.ts";
import { embedWithTimeout } from "../text/embed-with-timeout.ts";
import { embedDocumentJobs } from "./embed.ts";
import { searchableOf } from "./searchable.ts";
import { noSuchDocument, requireAsSeen, toDocumentView } from "./view.ts";

/** A document to be written, and the word on which it is delivered, where it is a skill that somebody approved. */
export interface DocumentToWrite extends DocumentWrite, Expected {
  readonly approval?: SkillApproval | null;
}

/** Stores a document under its key, replacing what was there. Throws INVALID_ARGUMENTS for a system collection, PRECONDITION_FAILED. */
export async function writeDocument(ctx: Ctx, body: DocumentToWrite): Promise<DocumentWritten> {
  const { tenant_id, collection, doc_id, data, approval = null } = body;
  await requireDocumentWriter(ctx, body);
  requireDataFits(ctx, data);
  const searchable = searchableOf(collection, doc_id, data);
  const vector = searchable && (await embedSummary(ctx, searchable.summary));
  const { after } = await ctx.storage.documents.upsert({ tenant_id, collection, doc_id }, actorOf(ctx), (current) => {
    if (current) requireFleetOfStored(ctx, current);
    requireAsSeen(body, current);
    const fleet_id = body.fleet_id ?? fleetUnnamed(current, body.no_fleet ? null : ctx.principal.fleet_id);
    const held = stillHolding(current, { fleet_id, data });
    if (current && held === null) requireMayEnd(ctx, current, "replaced");
    return {
      fleet_id,
      data,
      searchable,
      vector,
      embedded_by: vector ? ctx.embedder.id : null,
      approval: approval ?? held,
      documents_limit: ctx.limits.documents_limit,
      action: current ? "document.update" : "document.create",
      jobsFor: embedDocumentJobs,
    };
  });
  return { ...toDocumentView(after), indexed: searchable !== null };
}

/** An approval outlives a write that changes nothing, neither what it says nor for whom it is. */
const stillHolding = (
  current: StoredDocument | null,
  { fleet_id, data }: Pick<StoredDocument, "fleet_id" | "data">,
): SkillApproval | null =>
  current?.approval && current.fleet_id === fleet_id && current.approval.digest === skillDigest(data)
    ? current.approval
    : null;

/** Throws what keeps the caller from taking away what a person approved: deleting it and writing over it ask the same. */
export function requireMayEnd(ctx: Ctx, { approval }: StoredDocument, done: "deleted" | "replaced"): void {
  if (approval === null) return;
  requireKnownCaller(ctx, `Skills that a person approved are ${done}`);
  if (ctx.principal.agent_id !== null) requireTrust(ctx, ADMINISTER, "write over a skill that a person approved");
}

/** Where a document lies whose writer names no fleet: with the writer's own, but what all share stays with all. */
export const fleetUnnamed = (current: StoredDocument | null, home: string | null): string | null =>
  current?.fleet_id === null ? null : home;

/** Deletes a document by its key or id, for good. Throws NOT_FOUND, PRECONDITION_FAILED, and what keeps the caller from changing it. */
export async function removeDocument(ctx: Ctx, { if_match, ...key }: DocumentKey & Expected): Promise<void> {
  requireTenant(ctx, key.tenant_id);
  refuseSystemCollection("query", key.collection);
  requireTrust(ctx, ctx.principal.agent_id === null ? 1 : ADMINISTER, "delete documents");
  const skill_visibility = await skillVisibility(ctx, key.collection);
  const removed = await ctx.storage.documents.remove(key, actorOf(ctx), (current) => {
    if (!isVisibleSkill(skill_visibility, current)) throw noSuchDocument();
    requireFleetOfStored(ctx, current);
    requireAsSeen({ if_match }, current);
    requireMayEnd(ctx, current, "deleted");
    // What every agent is given goes by review or by whoever administers.
    if (skill_visibility !== null) requireTrust(ctx, ADMINISTER, "delete skills that are delivered");
    return "document.delete";
  });
  if (!removed) throw noSuchDocument();
}

/** Throws what keeps the caller from writing this document, whatever it says. */
export async function requireDocumentWriter(ctx: Ctx, body: DocumentWrite): Promise<void> {
  requireTenant(ctx, body.tenant_id);
  refuseSystemCollection("body", body.collection);
  requireTrust(ctx, 1, "write documents");
  await requireOwnIdentity(ctx, body.agent_id);
  requireFleetOfWriter(ctx, body.fleet_id);
  if (body.no_fleet) requireSharedWriter(ctx);
}

/** Collections of Cairn's own are written through their own routes only. */
function refuseSystemCollection(source: "body" | "query", collection: string): void {
  if (!collection.startsWith("_")) return;
  const loc = [source, "collection"];
  throw new AppError("INVALID_ARGUMENTS", `Collection '${collection}' belongs to Cairn; it has routes of its own.`, {
    loc,
  });
}

/** The vector, or null when the model is late or broken: the document is found by keyword meanwhile. */
export async function embedSummary(services: Services, summary: string): Promise<Float32Array | null> {
  const vectors = await embedWithTimeout(services, [summary], { role: "passage", instead: "embedding deferred" });
  return vectors?.[0] ?? null;
}
