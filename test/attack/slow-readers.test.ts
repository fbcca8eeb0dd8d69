import { expect, setDefaultTimeout, test } from "bun:test";
import { inexactNumbers } from "../../src/core/kernel/json-numbers.ts";
import { segmentsOf } from "../../src/forge/segments.ts";
import type { Trace } from "../../src/forge/traces.ts";

/** Against a hang alone. */
setDefaultTimeout(60_000);

/** The quickest of a few runs: what the machine does beside is not counted. */
function quickest(run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 7; i++) {
    const startedAt = performance.now();
    run();
    best = Math.min(best, performance.now() - startedAt);
  }
  return best;
}

const trace = (content: string): Trace => ({
  run_id: "r",
  agent_id: "a",
  fleet_id: null,
  label: "success",
  rows: [
    {
      id: "m",
      run_id: "r",
      agent_id: "a",
      fleet_id: null,
      content,
      status: "active",
      contradicted_by: null,
      metadata: null,
      created_at: "2026-01-01T00:00:00.000Z",
      entity_ids: [],
      vector: null,
    },
  ],
});

test("runs of space between words take a run no longer to read than the words alone", () => {
  const told = (gap: string) =>
    trace(Array.from({ length: 20 }, (_, i) => `I closed${gap}valve number ${i} of the pump.`).join(" "));
  const plain = quickest(() => segmentsOf(told(" ")));
  for (const space of [" ", "\t", "\u00a0"]) {
    expect(quickest(() => segmentsOf(told(space.repeat(350))))).toBeLessThan(5 * plain);
  }
});

test("a number that refuses a body ends the search for others, as long as the body may be", () => {
  const body = (count: number) => `{"where":{"a":[${Array(count).fill("9007199254740993").join(",")}]}}`;
  const many = body(99_000);
  expect(inexactNumbers(many)).toHaveLength(1);
  expect(quickest(() => inexactNumbers(many))).toBeLessThan(quickest(() => inexactNumbers(many, "where")));
});
