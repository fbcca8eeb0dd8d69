import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { JsonObject } from "../../../src/core/kernel/json.ts";
import { OrgSettings } from "../../../src/core/schema/settings.ts";
import type { Gate, GateInput } from "../../../src/skills/lifecycle/gates.ts";
import { allPassed, GATES, judgeCandidate } from "../../../src/skills/lifecycle/gates.ts";

const NOW = Date.parse("2026-03-15T12:00:00.000Z");
const { forge } = OrgSettings.parse({}).skills_factory;

const candidate = (fields: JsonObject = {}): JsonObject => ({
  kind: "create",
  cluster_fingerprint: "fp:v1:abc",
  origin: { cluster_size: 3, distinct_agents: 3, window_end: "2026-03-14T12:00:00.000Z" },
  scan: { state: "clean", critical: 0 },
  ...fields,
});
const input = (fields: Partial<GateInput> = {}): GateInput => ({
  data: candidate(),
  thresholds: forge,
  nowMs: NOW,
  denylistedUntil: null,
  binding: "bound",
  ...fields,
});
/** Gates that refuse, with every one giving a reason. */
function refusing(fields: Partial<GateInput>): Gate[] {
  const verdicts = judgeCandidate(input(fields));
  expect(verdicts.map(({ gate }) => gate)).toEqual([...GATES]);
  expect(verdicts.every(({ reason }) => reason !== "")).toBe(true);
  return verdicts.filter(({ passed }) => !passed).map(({ gate }) => gate);
}
const origin = (fields: JsonObject) => ({
  data: candidate({
    origin: { cluster_size: 3, distinct_agents: 3, window_end: "2026-03-14T12:00:00.000Z", ...fields },
  }),
});

test("a candidate with everything in order passes all six", () => {
  expect(refusing({})).toEqual([]);
  expect(allPassed(judgeCandidate(input()))).toBe(true);
});

describe("a candidate is refused by", () => {
  test.each<[Gate, string, Partial<GateInput>]>([
    ["volume", "one run short", origin({ cluster_size: 2 })],
    ["volume", "a size that is a text", origin({ cluster_size: "3" })],
    ["volume", "a size that is a fraction", origin({ cluster_size: 3.5 })],
    ["volume", "a higher threshold", { thresholds: { ...forge, min_cluster_size: 4 } }],
    ["diversity", "one agent short", origin({ distinct_agents: 2 })],
    ["diversity", "no number", origin({ distinct_agents: null })],
    ["diversity", "a higher threshold", { thresholds: { ...forge, min_distinct_agents: 4 } }],
    ["freshness", "a window that ended too long ago", origin({ window_end: "2026-03-01T11:59:59.000Z" })],
    ["freshness", "a window that is no instant", origin({ window_end: "last week" })],
    ["freshness", "a window that is a number", origin({ window_end: NOW })],
    ["freshness", "a shorter window", { thresholds: { ...forge, freshness_window_days: 1 }, nowMs: NOW + 1 }],
    ["poison", "a fingerprint that is barred", { denylistedUntil: "2026-04-01T00:00:00.000Z" }],
    ["poison", "a table that could not be asked", { denylistedUntil: undefined }],
    ["poison", "a blank fingerprint", { data: candidate({ cluster_fingerprint: "" }) }],
    ["scan", "a scan that found something", { data: candidate({ scan: { state: "failed" } }) }],
    ["scan", "a scan that has not been made", { data: candidate({ scan: { state: "pending" } }) }],
    ["scan", "a scan that is a text", { data: candidate({ scan: "clean" }) }],
    ["hash_binding", "a target that changed", { data: candidate({ kind: "update" }), binding: "other_hash" }],
    ["hash_binding", "a target that is gone", { data: candidate({ kind: "update" }), binding: "no_live_skill" }],
    ["hash_binding", "a target that was not looked up", { data: candidate({ kind: "update" }), binding: undefined }],
    ["hash_binding", "a kind of its own", { data: candidate({ kind: "replace" }) }],
  ])("%s alone for %s", (gate, _, fields) => {
    expect(refusing(fields)).toEqual([gate]);
  });

  test.each<[Gate, string]>([
    ["volume", "cluster_size"],
    ["diversity", "distinct_agents"],
    ["freshness", "window_end"],
  ])("%s when origin.%s is missing", (gate, member) => {
    const { [member]: _gone, ...rest }: JsonObject = {
      cluster_size: 3,
      distinct_agents: 3,
      window_end: "2026-03-14T12:00:00Z",
    };
    expect(refusing({ data: candidate({ origin: rest }) })).toEqual([gate]);
  });

  test.each<[readonly Gate[], string]>([
    [["volume", "diversity", "freshness"], "origin"],
    [["poison"], "cluster_fingerprint"],
    [["scan"], "scan"],
    [["hash_binding"], "kind"],
  ])("%j when %s is missing", (gates, member) => {
    const { [member]: _gone, ...data } = candidate();
    expect(refusing({ data })).toEqual([...gates]);
  });
});

test("what is exactly at a threshold passes", () => {
  expect(refusing(origin({ window_end: "2026-03-01T12:00:00.000Z" }))).toEqual([]);
});

test("whatever a candidate holds, no gate throws, and nothing passes all of them by chance", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom("origin", "scan", "kind", "cluster_fingerprint"), fc.jsonValue()),
      (data) => {
        const verdicts = judgeCandidate(input({ data: JSON.parse(JSON.stringify(data)) }));
        expect(verdicts).toHaveLength(GATES.length);
        expect(allPassed(verdicts)).toBe(false);
      },
    ),
  );
});
