import { expect, test } from "bun:test";
import { fitting, render } from "../../../../src/cli/hook/compose.ts";
import { rulesPart } from "../../../../src/cli/hook/tell.ts";

const BUDGET = 3_000;
const aRule = (doc_id: string, content: string, place: { fleet_id?: string; agent_id?: string } = {}) => {
  const { fleet_id = null, agent_id } = place;
  const scope = agent_id === undefined ? (fleet_id === null ? "tenant" : "fleet") : "agent";
  const bound = { scope, ...(agent_id === undefined ? {} : { agent_id }) } as const;
  return { doc_id, fleet_id, data: { title: "Style", content, set_by: "person", author: "owner", ...bound } } as const;
};

test("rules of one name are told each with its place, also where they say the same, and a single one as ever", () => {
  const rules = [
    aRule("style", "Tabs."),
    aRule("style", "Tabs.", { fleet_id: "red" }),
    aRule("style", "Spaces.", { agent_id: "bob" }),
    aRule("style", "None.", { agent_id: "bob", fleet_id: "red] [x" }),
    aRule("alone", "Alone.", { fleet_id: "red" }),
  ];
  const text = render(fitting([rulesPart(rules, BUDGET)], BUDGET, () => true));
  expect(text).toContain("- [style for everyone, set by: owner] Style: Tabs.");
  expect(text).toContain("- [style of project red, set by: owner] Style: Tabs.");
  expect(text).toContain("- [style for agent bob, set by: owner] Style: Spaces.");
  expect(text).toContain('- [style for agent bob of project "red) (x", set by: owner] Style: None.');
  expect(text).toContain("- [alone, set by: owner] Style: Alone.");
});
