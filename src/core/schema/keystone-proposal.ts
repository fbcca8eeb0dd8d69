import { z } from "zod";
import { TenantId } from "./common.ts";
import { Keystone, KeystoneName, ProposedRule, RuleText } from "./keystone.ts";
import { PlaceAsked, RulePlace } from "./keystones/place.ts";

/** The collection that holds what agents would change of the rules; nothing in it binds anybody. */
export const KEYSTONE_PROPOSALS = "_keystone_proposals";
/** Proposals of a tenant that may wait at a time. */
export const PROPOSALS_MAX = 50;
/** Of these, what one proposer may have waiting; whoever comes over MCP without a key of its own is one. */
export const PROPOSALS_EACH = 20;

/** A proposal as its document holds it, under the name of the rule; the fleet that it would bind is the document's. */
export const ProposalData = z.object({
  rule: RuleText.nullable().describe("What it would say; null for its removal."),
  proposed_by: z.string().describe("The agent, as it names itself, or in which capacity a person proposed it."),
  proposed_as: z.enum(["person", "agent"]).default("agent"),
  proposed_over: z.enum(["http", "mcp"]),
  place: RulePlace.exactOptional().describe(
    "Where it would change the rules, beside those of its name elsewhere; absent, the only rule of its name would be replaced.",
  ),
});
export type ProposalData = z.infer<typeof ProposalData>;

export const KeystoneProposal = ProposalData.extend({
  tenant_id: z.string(),
  doc_id: z.string(),
  fleet_id: z.string().nullable(),
  change: z.enum(["new", "change", "removal"]),
  place: RulePlace.describe("Where the rule stands, or would, that it is about."),
  current: Keystone.nullable().describe("The rule as it is."),
  version: z.string().describe("Of the proposal and of the rule that it would change, as they are shown."),
  created_at: z.string(),
  updated_at: z.string(),
}).meta({ id: "KeystoneProposal", description: "A change of the rules that waits for a person." });
export type KeystoneProposal = z.infer<typeof KeystoneProposal>;

export const KeystoneProposalList = z
  .object({ count: z.int(), items: z.array(KeystoneProposal) })
  .meta({ id: "KeystoneProposalList" });
export type KeystoneProposalList = z.infer<typeof KeystoneProposalList>;

export const KeystonePropose = PlaceAsked.extend({
  tenant_id: TenantId,
  doc_id: KeystoneName,
  rule: ProposedRule.nullable().describe("What it is to say; null to propose that it is removed."),
}).meta({ id: "KeystonePropose" });
export type KeystonePropose = z.infer<typeof KeystonePropose>;

const Version = z.string().min(1).max(100);
export const KeystoneAccept = PlaceAsked.extend({
  tenant_id: TenantId,
  version: Version.describe("That of the proposal as it was read."),
}).meta({ id: "KeystoneAccept" });
export type KeystoneAccept = z.infer<typeof KeystoneAccept>;

export const KeystoneDismiss = PlaceAsked.extend({
  tenant_id: TenantId,
  version: Version.nullish().describe("Absent to dismiss it whatever it says by now."),
}).meta({ id: "KeystoneDismiss" });
export type KeystoneDismiss = z.infer<typeof KeystoneDismiss>;

export const KeystoneDecided = z
  .object({
    doc_id: z.string(),
    accepted: z.boolean(),
    keystone: Keystone.nullable().describe("The rule as it is now; null where there is none."),
  })
  .meta({ id: "KeystoneDecided" });
export type KeystoneDecided = z.infer<typeof KeystoneDecided>;
