import { z } from "zod";
import { KEYSTONE_SCOPES } from "../../core/schema/keystones/place.ts";
import { proposedText, removeRule, setRule } from "../rules.ts";
import { AgentArgument, legacyTool, required } from "./declare.ts";
import { createdOrUpdated } from "./doc.ts";
import { warningOf } from "./warnings.ts";

export const keystones = legacyTool({
  name: "keystones",
  description: "Read the mandatory rules. Call it first in every session.",
  reads: true,
  input: z.object({ agent_id: AgentArgument, fleet_id: z.string().optional() }),
  run: async (call, { agent_id, fleet_id: named }) => {
    const missing = named === undefined ? call.missing_rules : [];
    const fleet_id = missing.length > 0 ? undefined : (named ?? call.fleet);
    const query = { fleet_id, agent_id: call.agent(agent_id) };
    const { items: rules, truncated } = await call.askList("listKeystones", { query });
    const answer = { count: rules.length, truncated, rules };
    return missing.length > 0 ? { ...answer, warning: warningOf(missing) } : answer;
  },
});

export const keystonesSet = legacyTool({
  name: "keystones_set",
  description: "Set or delete a mandatory rule. Needs trust.",
  destroys: true,
  input: z.object({
    op: z.enum(["set", "delete"]),
    doc_id: z.string(),
    title: z.string().optional(),
    content: z.string().optional(),
    scope: z.enum(KEYSTONE_SCOPES).optional(),
    weight: z
      .union([z.enum(["low", "med", "high"]), z.int()])
      .optional()
      .describe("25, 50, 100 in numbers."),
    fleet_id: z.string().optional(),
    agent_id: z.string().optional().describe("Agent that the rule binds; scope agent only."),
    author_user_id: z.string().optional(),
  }),
  run: async (call, { op, doc_id, ...rule }) => {
    if (op === "delete") {
      const { scope, fleet_id, agent_id } = rule;
      const { result, isProposed } = await removeRule(call.ask, doc_id, { scope, fleet_id, agent_id });
      return isProposed ? proposed(doc_id, result) : { ok: true, action: "deleted", doc_id };
    }
    for (const name of ["title", "content", "scope", "weight"] as const) required(op, name, rule[name]);
    const { result, isProposed } = await setRule(call.ask, { doc_id, ...rule });
    return isProposed ? proposed(doc_id, result) : { ok: true, action: createdOrUpdated(result), doc_id };
  },
});

const proposed = (doc_id: string, result: unknown) => ({
  ok: true,
  action: "proposed",
  doc_id,
  message: proposedText(doc_id, result),
});
