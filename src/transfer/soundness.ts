import { canonicalJson, isJsonObject } from "../core/kernel/json.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { IncomingDocument } from "../core/ports/keeping/transfer.ts";
import { SLUG } from "../core/schema/common.ts";
import { KEYSTONES, ProposedRule } from "../core/schema/keystone.ts";
import { KEYSTONE_PROPOSALS, PROPOSALS_MAX } from "../core/schema/keystone-proposal.ts";
import { placeOfDocument, shownName } from "../core/schema/keystones/names.ts";
import { isFitToDeliver } from "../skills/approval.ts";
import { skillsFactory } from "../skills/lifecycle/factory.ts";
import { saidOf } from "./incoming.ts";
import type { Fault } from "./incoming-memory.ts";

const RULES: readonly string[] = [KEYSTONES, KEYSTONE_PROPOSALS];

/** A record as it was read, whatever it is. */
type Read = { readonly kind: string } | Fault | { readonly leftOut: true };

/**
 * What could have come about here as well: rules and proposals that somebody can decide about, proposals as far as there is
 * room, and approvals of what the scan finds clean.
 */
export async function asFarAsSound<T extends Read>(
  ctx: Ctx,
  tenant_id: string,
  read: readonly (T | IncomingDocument)[],
): Promise<(T | IncomingDocument | Fault)[]> {
  const decidable = read.map((one) => (isRule(one) ? (faultOfRule(one) ?? one) : one));
  return withinRoom(ctx, tenant_id, await withScannedWords(ctx, tenant_id, decidable));
}

/** Why nobody could decide about a rule or a proposal; null where somebody can. */
function faultOfRule({ document: { collection, doc_id, fleet_id, data } }: IncomingDocument): Fault | null {
  if (!SLUG.test(doc_id)) return { fault: `doc_id: no rule is called so: its name must match ${SLUG.source}` };
  if (collection !== KEYSTONE_PROPOSALS || !isJsonObject(data.rule)) return null;
  const rule = ProposedRule.safeParse({ ...data.rule, fleet_id, place: true });
  return rule.success ? null : { fault: `data.rule.${rule.error.issues.map(saidOf).join("; data.rule.")}` };
}

/** Without the approvals of skills that the scan of today does not find clean: that a person gave one, the source alone says. */
async function withScannedWords<T extends Read>(
  ctx: Ctx,
  tenant_id: string,
  read: readonly (T | IncomingDocument)[],
): Promise<(T | IncomingDocument)[]> {
  const isApproved = (one: Read): one is IncomingDocument => isDocument(one) && one.approval !== null;
  if (!read.some(isApproved)) return [...read];
  const factory = await skillsFactory(ctx, tenant_id);
  const scanned: (T | IncomingDocument)[] = [];
  for (const one of read) {
    const isKept = !isApproved(one) || (await isFitToDeliver(ctx, one.document.data, factory));
    scanned.push(isKept ? one : { ...one, approval: null });
  }
  return scanned;
}

/** As many proposals as may wait for a person; those that are there already take no more room. */
async function withinRoom<T extends Read>(
  { storage }: Ctx,
  tenant_id: string,
  read: readonly (T | IncomingDocument)[],
): Promise<(T | IncomingDocument | Fault)[]> {
  if (!read.some(isProposal)) return [...read];
  const filter = { tenant_id, collection: KEYSTONE_PROPOSALS };
  const waiting = await storage.documents.list({ filter, order: "desc", offset: 0, limit: PROPOSALS_MAX });
  const names = new Set(waiting.map(placedName));
  return read.map((one) => {
    if (!isProposal(one) || names.has(placedName(one.document))) return one;
    if (names.size >= PROPOSALS_MAX) return { fault: FULL };
    names.add(placedName(one.document));
    return one;
  });
}

/** What a proposal is called, with its place. */
const placedName = (document: IncomingDocument["document"]): string =>
  canonicalJson([shownName(document), placeOfDocument(document)]);

const FULL = `${PROPOSALS_MAX} proposed rules wait for a person, and no more may. Decide about some, then import it again.`;

const isDocument = (one: Read): one is IncomingDocument => "kind" in one && one.kind === "document";
const isRule = (one: Read): one is IncomingDocument => isDocument(one) && RULES.includes(one.document.collection);
const isProposal = (one: Read): one is IncomingDocument =>
  isDocument(one) && one.document.collection === KEYSTONE_PROPOSALS;
