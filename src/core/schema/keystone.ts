import { z } from "zod";
import { nameOf } from "../kernel/quoting/quote.ts";
import { AgentId, countedText, FleetId, SLUG, TenantId, textOf, Version } from "./common.ts";
import type { RulePlace } from "./keystones/place.ts";
import { KEYSTONE_SCOPES, KeystoneScope, PlaceAsked } from "./keystones/place.ts";

/** The collection that holds keystones. */
export const KEYSTONES = "_keystones";
export const KEYSTONES_MAX = 50;
export const WEIGHT_NAMES = { low: 25, med: 50, high: 100 } as const;
export const WEIGHT_MAX = 100;

const Weight = z
  .union([z.enum(["low", "med", "high"]), z.int().min(0).max(WEIGHT_MAX)], {
    error: `weight is low, med, high or a whole number from 0 to ${WEIGHT_MAX}`,
  })
  .describe("low, med and high are 25, 50 and 100.");

/** What a rule says. */
export const RuleText = z.object({
  title: z.string(),
  content: z.string(),
  weight: z.int(),
  scope: KeystoneScope,
  agent_id: z.string().exactOptional(),
  author_user_id: z.string().exactOptional(),
});
export type RuleText = z.infer<typeof RuleText>;

/** Who set a rule; written by the server alone, and absent in rules that are older than that. */
export const Authorship = z.object({
  set_by: z.enum(["person", "agent"]).exactOptional(),
  author: z.string().exactOptional().describe("The agent that set it, or in which capacity a person did."),
  set_over: z.enum(["http", "mcp"]).exactOptional(),
  proposed_by: z.string().exactOptional().describe("The agent whose proposal a person accepted."),
});
export type Authorship = z.infer<typeof Authorship>;

/** Who set a rule, in words; the names are as their owners give them. */
export function authorInWords({ set_by, author = "", set_over, proposed_by }: Authorship): string {
  if (set_by === undefined) return "not recorded";
  if (set_by === "agent") return `agent ${nameOf(author)}${set_over === "mcp" ? " over MCP" : ""}`;
  return proposed_by === undefined ? author : `${author}, proposed by agent ${nameOf(proposed_by)}`;
}

/** A rule as far as it is told which one it is. */
interface Called {
  readonly doc_id: string;
  readonly fleet_id: string | null;
  readonly data: Pick<RuleText, "scope" | "agent_id">;
}

/**
 * Where a rule stands, after its name, where another of its name is told beside it; else nothing. The names are as their
 * owners give them.
 */
export function placeAmong(rule: Called, rules: readonly Called[]): string {
  if (rules.every((other) => other === rule || other.doc_id !== rule.doc_id)) return "";
  const { fleet_id, data } = rule;
  if (data.scope === "tenant") return " for everyone";
  const project = fleet_id === null ? "" : ` of project ${nameOf(fleet_id)}`;
  return data.scope === "fleet" ? project : ` for agent ${nameOf(data.agent_id ?? "")}${project}`;
}

export const KeystoneData = RuleText.extend({
  ...Authorship.shape,
  locked: z.boolean().exactOptional().describe("Only administrators change or remove it."),
});
export type KeystoneData = z.infer<typeof KeystoneData>;

export const Keystone = z
  .object({
    id: z.string(),
    tenant_id: z.string(),
    fleet_id: z.string().nullable(),
    collection: z.string(),
    doc_id: z.string(),
    data: KeystoneData,
    created_at: z.string(),
    updated_at: z.string(),
    version: Version,
  })
  .meta({ id: "Keystone", description: "A mandatory rule, served to every agent at the start of its work." });
export type Keystone = z.infer<typeof Keystone>;

/** What names whom a rule of each scope binds; the other fields are forbidden to it. */
const BOUND_BY: Readonly<Record<RulePlace["scope"], readonly string[]>> = {
  tenant: [],
  fleet: ["fleet_id"],
  agent: ["fleet_id", "agent_id"],
};
const BINDING_FIELDS = ["fleet_id", "agent_id"] as const;

/** The same as documentation: one shape a scope. */
const SHAPES = KEYSTONE_SCOPES.map((scope) => ({
  properties: {
    scope: { const: scope },
    ...Object.fromEntries(
      BINDING_FIELDS.map((field) => [field, { type: BOUND_BY[scope].includes(field) ? "string" : "null" }]),
    ),
  },
  required: BOUND_BY[scope],
}));
/** With `place`, that of an agent wherever it works. */
const EVERYWHERE = {
  properties: {
    scope: { const: "agent" },
    fleet_id: { type: "null" },
    agent_id: { type: "string" },
    place: { const: true },
  },
  required: ["agent_id", "place"],
};

const Rule = z.object({
  title: textOf(z.string().trim(), 1, 500),
  content: textOf(z.string().trim(), 1, 10_000),
  scope: KeystoneScope,
  weight: Weight,
  fleet_id: FleetId.nullish().describe(
    "Required for scopes fleet and agent, forbidden for tenant. With `place`, an agent's rule without one binds it everywhere.",
  ),
  agent_id: AgentId.nullish().describe("Required for scope agent, forbidden otherwise."),
  author_user_id: countedText(1, 200).nullish(),
  place: z
    .boolean()
    .nullish()
    .describe(
      "true: written at its own place (everyone, fleet, or agent), beside rules of this name elsewhere. Else the only rule of this name is replaced, wherever it stands.",
    ),
});
export type Rule = z.infer<typeof Rule>;

/** Whom a rule binds is named as its scope needs it. */
function namesWhomItBinds(rule: Rule, context: z.RefinementCtx): void {
  for (const field of BINDING_FIELDS) {
    const needed = BOUND_BY[rule.scope].includes(field);
    const has = rule[field] != null;
    const isEverywhere = field === "fleet_id" && rule.scope === "agent" && rule.place === true;
    if (has === needed || isEverywhere) continue;
    const message = `${field} is ${needed ? "required" : "forbidden"} for scope ${rule.scope}`;
    context.addIssue({ code: "custom", path: [field], message });
  }
}

/** Names a rule; one name may stand in several places. */
export const KeystoneName = z.string().regex(SLUG);
export const KeystoneWrite = Rule.extend({
  tenant_id: TenantId,
  doc_id: KeystoneName,
  locked: z
    .boolean()
    .nullish()
    .describe("Whether only administrators change or remove it, set by them; stays as it is when it is left out."),
})
  .superRefine(namesWhomItBinds)
  .meta({ id: "KeystoneWrite", anyOf: [...SHAPES, EVERYWHERE] });
export type KeystoneWrite = z.infer<typeof KeystoneWrite>;

/** A rule as it is proposed. */
export const ProposedRule = Rule.superRefine(namesWhomItBinds).meta({
  id: "ProposedRule",
  anyOf: [...SHAPES, EVERYWHERE],
});

export const KeystoneWritten = Keystone.extend({
  replaced: Keystone.nullable()
    .exactOptional()
    .describe("With `place`, the rule that stood there before; null where there was none."),
}).meta({ id: "KeystoneWritten" });
export type KeystoneWritten = z.infer<typeof KeystoneWritten>;

export const KeystoneListQuery = z.object({
  tenant_id: TenantId,
  fleet_id: FleetId.optional(),
  agent_id: AgentId.optional().describe(
    "Adds the rules of this agent, those in the fleet and those everywhere; an agent's key names its own.",
  ),
  envelope: z.boolean().default(false).describe("true for {count, items} instead of a bare array."),
});
export type KeystoneListQuery = z.infer<typeof KeystoneListQuery>;
export const KeystoneList = z.union([
  z.array(Keystone),
  z.object({ count: z.int(), items: z.array(Keystone) }).meta({ id: "KeystoneEnvelope" }),
]);
export type KeystoneList = z.infer<typeof KeystoneList>;

export const KeystonePath = z.object({ doc_id: KeystoneName });
export const KeystoneLock = PlaceAsked.extend({ tenant_id: TenantId, locked: z.boolean() }).meta({
  id: "KeystoneLock",
});
export type KeystoneLock = z.infer<typeof KeystoneLock>;
export const KeystoneRemoved = z
  .object({
    deleted: z.boolean(),
    doc_id: z.string(),
    removed: Keystone.exactOptional().describe("With `place`, the rule as it was."),
  })
  .meta({ id: "KeystoneRemoved" });
export type KeystoneRemoved = z.infer<typeof KeystoneRemoved>;
