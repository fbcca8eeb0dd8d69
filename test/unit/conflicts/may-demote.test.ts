import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Owned } from "../../../src/conflicts/may-demote.ts";
import { mayDemote } from "../../../src/conflicts/may-demote.ts";
import { VISIBILITIES } from "../../../src/core/schema/access.ts";

const owned = (visibility: Owned["visibility"], agent_id = "ada", fleet_id: string | null = null): Owned => ({
  tenant_id: "default",
  fleet_id,
  agent_id,
  visibility,
});

describe("a newer row may demote an older one", () => {
  test.each<[string, Owned, Owned, boolean]>([
    ["private, private of the same agent", owned("scope_agent"), owned("scope_agent"), true],
    ["private, private of another agent", owned("scope_agent"), owned("scope_agent", "bob"), false],
    ["private, team", owned("scope_agent"), owned("scope_team"), false],
    ["private, organisation", owned("scope_agent"), owned("scope_org"), false],
    ["team, private of the same agent", owned("scope_team"), owned("scope_agent"), true],
    [
      "organisation, private of the same agent",
      owned("scope_org", "ada", "red"),
      owned("scope_agent", "ada", "red"),
      true,
    ],
    [
      "team of a fleet, private of the agent",
      owned("scope_team", "ada", "red"),
      owned("scope_agent", "ada", "red"),
      false,
    ],
    ["team, private of another agent", owned("scope_team"), owned("scope_agent", "bob"), false],
    ["team, team", owned("scope_team"), owned("scope_team", "bob"), true],
    ["team of a fleet, team of the fleet", owned("scope_team", "ada", "red"), owned("scope_team", "bob", "red"), true],
    ["team of a fleet, team of another", owned("scope_team", "ada", "red"), owned("scope_team", "ada", "blue"), false],
    ["team of a fleet, team without one", owned("scope_team", "ada", "red"), owned("scope_team"), false],
    ["team of a fleet, organisation", owned("scope_team", "ada", "red"), owned("scope_org", "ada", "red"), false],
    ["team without a fleet, organisation", owned("scope_team"), owned("scope_org", "bob"), true],
    ["organisation, team of the same fleet", owned("scope_org", "ada", "red"), owned("scope_team", "bob", "red"), true],
    ["organisation, organisation", owned("scope_org"), owned("scope_org", "bob"), true],
    ["organisation, private of another agent", owned("scope_org"), owned("scope_agent", "bob"), false],
    ["of another tenant", { ...owned("scope_org"), tenant_id: "acme" }, owned("scope_org"), false],
  ])("%s: newer, older", (_, newer, older, allowed) => {
    expect(mayDemote(newer, older)).toBe(allowed);
  });

  test("only when everyone who sees the older one sees the newer one", () => {
    const agents = ["ada", "bob"];
    const fleets = ["red", "blue", null];
    const row = fc.record({
      tenant_id: fc.constant("default"),
      fleet_id: fc.constantFrom(...fleets),
      agent_id: fc.constantFrom(...agents),
      visibility: fc.constantFrom(...VISIBILITIES),
    });
    const sees = (agent: string, fleet: string | null, { visibility, agent_id, fleet_id }: Owned): boolean => {
      if (visibility === "scope_org") return true;
      if (visibility === "scope_agent") return agent === agent_id;
      return fleet_id === null || fleet === fleet_id;
    };
    fc.assert(
      fc.property(row, row, (newer, older) => {
        if (!mayDemote(newer, older)) return;
        for (const agent of [...agents, "cyd"]) {
          for (const fleet of fleets) if (sees(agent, fleet, older)) expect(sees(agent, fleet, newer)).toBe(true);
        }
      }),
    );
  });
});
