import { actorOf } from "../access/actor.ts";
import { authorshipOf, requirePerson } from "../access/person.ts";
import { requireTenant } from "../access/tenant.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { StoredDocument } from "../core/ports/document-store.ts";
import type { Keystone } from "../core/schema/keystone.ts";
import type { KeystoneAccept, KeystoneDecided, KeystoneDismiss } from "../core/schema/keystone-proposal.ts";
import { ProposalData } from "../core/schema/keystone-proposal.ts";
import { placeOfDocument, shownName } from "../core/schema/keystones/names.ts";
import type { PlaceAsked } from "../core/schema/keystones/place.ts";
import { meantAmong, writtenAt } from "./place.ts";
import { changedBy, isBeside, proposalChange, proposalKey, versionOf } from "./proposals.ts";
import type { RuleName } from "./rule.ts";
import { requireMayChange, requireTrustFor } from "./rule.ts";
import type { Check } from "./store.ts";
import { dropRule, storeRule } from "./store.ts";
import { toKeystoneView } from "./view.ts";

type Named = { readonly doc_id: string };
type Asked = RuleName & PlaceAsked;

/**
 * Makes what was proposed the rule, as a person's. It needs the trust that the change itself does. Throws PERSON_REQUIRED,
 * NOT_FOUND, CONFLICT where proposal or rule are no longer what was read or several are meant, AGENT_TRUST_TOO_LOW, ADMIN_REQUIRED.
 */
export async function acceptProposal(ctx: Ctx, { version, ...name }: KeystoneAccept & Named): Promise<KeystoneDecided> {
  requireTenant(ctx, name.tenant_id);
  requirePerson(ctx, "Proposed rules are accepted");
  const { proposal } = await toDecide(ctx, name, version);
  // First, so that of two who decide at once one alone does.
  await takeProposal(ctx, proposal, "keystone_proposal.accept");
  try {
    const keystone = await carriedOut(ctx, proposal, (current) => {
      if (versionOf(proposal, current) !== version) throw changedSince();
    });
    return { doc_id: name.doc_id, accepted: true, keystone };
  } catch (error) {
    await putBack(ctx, proposal);
    throw error;
  }
}

/** Drops what was proposed. It needs the trust that the change itself does. Throws as accepting it does. */
export async function dismissProposal(
  ctx: Ctx,
  { version, ...name }: KeystoneDismiss & Named,
): Promise<KeystoneDecided> {
  requireTenant(ctx, name.tenant_id);
  requirePerson(ctx, "Proposed rules are dismissed");
  const { proposal, current } = await toDecide(ctx, name, version ?? null);
  await takeProposal(ctx, proposal, "keystone_proposal.dismiss");
  return { doc_id: name.doc_id, accepted: false, keystone: current && toKeystoneView(current) };
}

/** A proposal and the rule that it would change, where the caller may decide and both are what was shown. */
async function toDecide(ctx: Ctx, { tenant_id, doc_id, ...asked }: Asked, version: string | null) {
  const proposals = await ctx.storage.documents.namesakes(proposalKey({ tenant_id, doc_id }));
  if (proposals.length === 0) throw new AppError("NOT_FOUND", "No change of this rule is proposed.");
  const proposal = meantAmong(proposals, asked);
  const current = await changedBy(ctx, proposal);
  if (version !== null && versionOf(proposal, current) !== version) throw changedSince();
  const { rule } = ProposalData.parse(proposal.data);
  if (rule !== null) requireTrustFor(ctx, rule, "decide about this proposal");
  requireMayChange(ctx, current, "decide about");
  return { proposal, current };
}

async function carriedOut(ctx: Ctx, proposal: StoredDocument, check: Check): Promise<Keystone | null> {
  const { tenant_id, fleet_id } = proposal;
  const name = { tenant_id, doc_id: shownName(proposal) };
  const { rule: text, proposed_by, proposed_as, place } = ProposalData.parse(proposal.data);
  if (text !== null) {
    const authorship = { ...authorshipOf(ctx), ...(proposed_as === "agent" ? { proposed_by } : {}) };
    const written = { fleet_id, keepsOthers: place !== undefined, text, authorship };
    const { rule } = await storeRule(ctx, { ...name, ...written, reason: `proposed by ${proposed_by}` }, check);
    return rule;
  }
  const dropped = await dropRule(ctx, { ...name, asked: place ? { ...place, place: true } : {} }, check);
  if (!dropped) check(null);
  return null;
}

/** Takes a proposal away. Throws CONFLICT where it is gone, or another by now. */
async function takeProposal(ctx: Ctx, proposal: StoredDocument, action: string): Promise<void> {
  const seen = versionOf(proposal, null);
  const wasThere = await ctx.storage.documents.remove(proposalKey(proposal), actorOf(ctx), (now) => {
    if (versionOf(now, null) !== seen) throw changedSince();
    return action;
  });
  if (!wasThere) throw changedSince();
}

/** Leaves a proposal as it was, unless another has come in its place. */
async function putBack(ctx: Ctx, proposal: StoredDocument): Promise<void> {
  const { tenant_id } = proposal;
  const where = { place: placeOfDocument(proposal), keepsOthers: isBeside(proposal) };
  const name = writtenAt(proposalKey({ tenant_id, doc_id: shownName(proposal) }), where);
  await ctx.storage.documents.upsert(name, actorOf(ctx), (another) => ({
    ...proposalChange(another ?? proposal),
    action: "keystone_proposal.keep",
  }));
}

const changedSince = (): AppError =>
  new AppError("CONFLICT", "The proposal or the rule has changed since it was shown: read it again, then decide.");
