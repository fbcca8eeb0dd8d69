import { actorOf } from "../access/actor.ts";
import { authorshipOf, isUnknownCaller } from "../access/person.ts";
import { requireTenant } from "../access/tenant.ts";
import { AppError } from "../core/kernel/errors.ts";
import { sha256 } from "../core/kernel/hash.ts";
import { canonicalJson } from "../core/kernel/json.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { DocumentChange, DocumentKey, StoredDocument } from "../core/ports/document-store.ts";
import type { KeystoneProposal, KeystoneProposalList, KeystonePropose } from "../core/schema/keystone-proposal.ts";
import { KEYSTONE_PROPOSALS, PROPOSALS_EACH, PROPOSALS_MAX, ProposalData } from "../core/schema/keystone-proposal.ts";
import { placeOfDocument, shownName, writtenAs } from "../core/schema/keystones/names.ts";
import type { PlaceAsked } from "../core/schema/keystones/place.ts";
import { placeOf } from "../core/schema/keystones/place.ts";
import { meantAmong, writtenAt } from "./place.ts";
import type { RuleName } from "./rule.ts";
import { requireTrustFor, rulesNamed, ruleText } from "./rule.ts";
import { noSuchRule } from "./store.ts";
import { keystoneData, toKeystoneView } from "./view.ts";

export const proposalKey = ({ tenant_id, doc_id }: RuleName): DocumentKey => ({
  tenant_id,
  collection: KEYSTONE_PROPOSALS,
  doc_id,
});

/** A proposal as it is stored: search never reaches one. */
export const proposalChange = ({
  fleet_id,
  data,
}: Pick<StoredDocument, "fleet_id" | "data">): Omit<DocumentChange, "action"> => ({
  fleet_id,
  data,
  searchable: null,
  vector: null,
  embedded_by: null,
  jobsFor: () => [],
});

/** Whether a proposal is of its own place alone, whatever rules of its name stand elsewhere. */
export const isBeside = ({ data }: StoredDocument): boolean => ProposalData.parse(data).place !== undefined;

/** The rule that a proposal would change; null where there is none. */
export async function changedBy(ctx: Ctx, proposal: StoredDocument): Promise<StoredDocument | null> {
  const doc_id = shownName(proposal);
  const namesakes = await rulesNamed(ctx, { tenant_id: proposal.tenant_id, doc_id });
  const where = { place: placeOfDocument(proposal), keepsOthers: isBeside(proposal) };
  const changed = writtenAs(doc_id, namesakes, where);
  return namesakes.find((one) => one.doc_id === changed) ?? null;
}

/**
 * Keeps what somebody would change of the rules until a person decides; it binds nobody. One proposal a rule: the last one
 * stands. It needs the trust that the change itself would, and that of a proposal in whose place it comes. Throws NOT_FOUND
 * for the removal of no rule, CONFLICT where too many wait, of all or of the same proposer.
 */
export async function proposeKeystone(
  ctx: Ctx,
  { tenant_id, doc_id, rule, ...asked }: KeystonePropose,
): Promise<KeystoneProposal> {
  requireTenant(ctx, tenant_id);
  const { documents } = ctx.storage;
  const name = { tenant_id, doc_id };
  const { current, place, keepsOthers } = await aboutOf(ctx, { ...name, rule, asked });
  if (rule !== null) requireTrustFor(ctx, rule, "propose this keystone");
  if (current !== null) requireTrustFor(ctx, keystoneData(current), "propose another keystone instead of this one");
  const where = { place, keepsOthers };
  const waiting = await documents.namesakes(proposalKey(name));
  const replaced = writtenAs(doc_id, waiting, where);
  if (!waiting.some((one) => one.doc_id === replaced)) await requireRoom(ctx, tenant_id, 1);
  const { author: proposed_by, set_by: proposed_as, set_over: proposed_over } = authorshipOf(ctx);
  const proposed = { rule: rule && ruleText(rule), proposed_by, proposed_as, proposed_over };
  const data: ProposalData = rule === null || keepsOthers ? { ...proposed, place } : proposed;
  const { before, after } = await documents.upsert(writtenAt(proposalKey(name), where), actorOf(ctx), (was) => {
    const replaced = was && ProposalData.parse(was.data).rule;
    if (replaced) requireTrustFor(ctx, replaced, "propose another keystone instead of one that waits");
    return {
      ...proposalChange({
        fleet_id: place.fleet_id,
        data,
      }),
      documents_limit: ctx.limits.documents_limit,
      action: was ? "keystone_proposal.update" : "keystone_proposal.create",
    };
  });
  // Others may have come in between: then this one was too many.
  if (before === null)
    await requireRoom(ctx, tenant_id, 0).catch(async (full: unknown) => {
      await documents.remove(proposalKey(after), actorOf(ctx), () => "keystone_proposal.refuse");
      throw full;
    });
  return toProposalView(after, current);
}

interface About extends RuleName {
  readonly rule: KeystonePropose["rule"];
  readonly asked: PlaceAsked;
}

/** Which rule a proposal is about, and where that stands. Throws NOT_FOUND for the removal of none, CONFLICT where several are meant. */
async function aboutOf(ctx: Ctx, { rule, asked, tenant_id, doc_id }: About) {
  const namesakes = await rulesNamed(ctx, { tenant_id, doc_id });
  if (rule !== null) {
    const place = placeOf(rule.fleet_id, rule);
    const keepsOthers = rule.place === true;
    const changed = writtenAs(doc_id, namesakes, { place, keepsOthers });
    return { place, keepsOthers, current: namesakes.find((one) => one.doc_id === changed) ?? null };
  }
  if (namesakes.length === 0) throw noSuchRule();
  const current = meantAmong(namesakes, asked);
  return { place: placeOfDocument(current), keepsOthers: namesakes.length > 1 || asked.scope != null, current };
}

/** Throws CONFLICT where with so many more too many proposals would wait, of all proposers or of this one. */
async function requireRoom(ctx: Ctx, tenant_id: string, more: number): Promise<void> {
  const filter = { tenant_id, collection: KEYSTONE_PROPOSALS };
  const page = { filter, order: "desc", offset: 0, limit: PROPOSALS_MAX + 1 } as const;
  const waiting = await ctx.storage.documents.list(page);
  if (waiting.length + more > PROPOSALS_MAX) throw fullOf(`${PROPOSALS_MAX} proposed rules wait`);
  const own = waiting.filter(({ data }) => isOfProposer(ctx, ProposalData.parse(data)));
  if (own.length + more > PROPOSALS_EACH) throw fullOf(`${PROPOSALS_EACH} proposed rules of the same proposer wait`);
}

const fullOf = (what: string): AppError =>
  new AppError("CONFLICT", `${what} for a person, and no more may. \`cairn keystones\` lists them.`);

/** Whether the caller proposed it. What it calls itself tells nothing where it may be anybody: then all over MCP are one. */
function isOfProposer(ctx: Ctx, { proposed_by, proposed_as, proposed_over }: ProposalData): boolean {
  if (isUnknownCaller(ctx)) return proposed_over === "mcp";
  const { author, set_by } = authorshipOf(ctx);
  return proposed_by === author && proposed_as === set_by;
}

/** What waits for a person, newest first. */
export async function listProposals(ctx: Ctx, { tenant_id }: { tenant_id: string }): Promise<KeystoneProposalList> {
  requireTenant(ctx, tenant_id);
  const { documents } = ctx.storage;
  const filter = { tenant_id, collection: KEYSTONE_PROPOSALS };
  const found = await documents.list({ filter, order: "desc", offset: 0, limit: PROPOSALS_MAX });
  const items = await Promise.all(
    found.map(async (proposal) => toProposalView(proposal, await changedBy(ctx, proposal))),
  );
  return { count: items.length, items };
}

/** A proposal beside the rule that it would change. */
function toProposalView(proposal: StoredDocument, current: StoredDocument | null): KeystoneProposal {
  const { tenant_id, fleet_id, created_at, updated_at } = proposal;
  const data = ProposalData.parse(proposal.data);
  return {
    tenant_id,
    doc_id: shownName(proposal),
    fleet_id,
    ...data,
    place: placeOfDocument(proposal),
    change: data.rule === null ? "removal" : current === null ? "new" : "change",
    current: current && toKeystoneView(current),
    version: versionOf(proposal, current),
    created_at,
    updated_at,
  };
}

/** Says whether a proposal and the rule that it would change are still what somebody was shown. */
export const versionOf = (proposal: StoredDocument, current: StoredDocument | null): string =>
  sha256(canonicalJson([stateOf(proposal), current && stateOf(current)]));

const stateOf = ({ id, fleet_id, data }: StoredDocument) => [id, fleet_id, data];
