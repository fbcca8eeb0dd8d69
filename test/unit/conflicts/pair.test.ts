import { describe, expect, test } from "bun:test";
import { isTurn } from "../../../src/conflicts/events.ts";
import { pairWith, readMemory } from "../../../src/conflicts/pair.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { aRow } from "../../support/builders.ts";

const NONE: ReadonlySet<string> = new Set();
const day = (number: number): string => `2026-01-${String(number).padStart(2, "0")}T00:00:00.000Z`;

/** The pair that two rows make, whichever of them is looked at; null when there is none. */
function olderOf(a: StoredMemory, b: StoredMemory): StoredMemory | null {
  const older = (own: StoredMemory, other: StoredMemory) =>
    pairWith(readMemory(own), { memory: other, closeness: null, shared_words: 0 }, NONE)?.older.memory ?? null;
  expect(older(a, b)).toEqual(older(b, a));
  return older(a, b);
}

describe("of two rows the older one is", () => {
  test("the one written first", () => {
    const [first, second] = [aRow(), aRow()];
    expect(olderOf(first, second)?.id).toBe(first.id);
  });

  test("the one that says so, whenever it was written", () => {
    const [first, second] = [aRow(), aRow({ ts_valid_start: "2019-06-01T00:00:00.000Z" })];
    expect(olderOf(first, second)?.id).toBe(second.id);
  });

  test("the one written first, where a date was only read from the text", () => {
    const inferred = { system_metadata: { inferred: ["ts_valid_start", "ts_valid_end"] } };
    const first = aRow({ ...inferred, ts_valid_start: day(20), ts_valid_end: day(21) });
    const second = aRow({ ...inferred, ts_valid_start: day(9), ts_valid_end: day(10) });
    expect(olderOf(first, second)?.id).toBe(first.id);
  });

  test("of one time of event, the one written first; of one instant, the one with the smaller id", () => {
    const at = { ts_valid_start: day(3) };
    const [first, second] = [aRow(at), aRow(at)];
    expect(olderOf(first, second)?.id).toBe(first.id);
    const twin = { ...second, created_at: first.created_at };
    expect(olderOf(first, twin)?.id).toBe(first.id);
  });
});

describe("two rows make no pair", () => {
  test("when the newer one may not demote the older one", () => {
    expect(olderOf(aRow(), aRow({ visibility: "scope_agent" }))).toBeNull();
  });

  test("when the older one records what happened, as its writer says; reading it from the text is not enough", () => {
    const episode = { memory_type: "episode" } as const;
    expect(olderOf(aRow(episode), aRow())).toBeNull();
    expect(olderOf(aRow(), aRow(episode))).not.toBeNull();
    const inferred = { ...episode, system_metadata: { inferred: ["memory_type"] } };
    expect(olderOf(aRow(inferred), aRow())).not.toBeNull();
  });

  test("when the older one is outdated already", () => {
    expect(olderOf(aRow({ status: "outdated" }), aRow())).toBeNull();
    expect(olderOf(aRow({ status: "conflicted" }), aRow())).not.toBeNull();
  });

  test("when the older one was over by its writer's word before the other began", () => {
    const [january, later] = [
      aRow({ ts_valid_start: day(1), ts_valid_end: day(10) }),
      aRow({ ts_valid_start: day(10), ts_valid_end: day(20) }),
    ];
    expect(olderOf(january, later)).toBeNull();
    expect(olderOf(january, { ...later, ts_valid_start: day(9) })?.id).toBe(january.id);
    expect(olderOf(january, { ...later, ts_valid_end: null })).toBeNull();
    expect(olderOf({ ...january, ts_valid_end: null }, later)?.id).toBe(january.id);
  });
});

describe("two figures, each of a day or month that its text names,", () => {
  test.each<[string, string, boolean]>([
    ["2026-03-01: disk usage on db1 is 61 %", "2026-04-01: disk usage on db1 is 74 %", false],
    ["[2026-03-01] db1's disk usage: 61 %", "2026-04-01 - the disk usage of db1 is at 74 %.", false],
    ["Disk usage on db1 was 61 % on 1 March 2026.", "Disk usage on db1 was 74 % on 1 April 2026.", false],
    ["As of March 2026 the cluster has 5 nodes.", "As of June 2026 the cluster has 9 nodes.", false],
    ["In March 2026 the p95 latency was 120 ms.", "In April 2026 the p95 latency was 95 ms.", false],
    ["Cloud costs were 1,200 euros in March 2026.", "Cloud costs were 1,900 euros in April 2026.", false],
    // Of one day there is one figure.
    ["2026-03-01: disk usage on db1 is 61 %", "2026-03-01: disk usage on db1 is 74 %", true],
    ["In March 2026 the p95 latency was 120 ms.", "On 3 March 2026 the p95 latency was 95 ms.", true],
    // No day of its own: it is what holds now.
    ["2026-03-01: disk usage on db1 is 61 %", "Disk usage on db1 is 74 %", true],
    ["Disk usage on db1 is 61 %", "Disk usage on db1 is 74 %", true],
    ["Since 1 March 2026 the cluster has 5 nodes.", "Since 1 June 2026 the cluster has 9 nodes.", true],
    // The date is what is said, or no figure is.
    ["The launch is on 5 June 2026.", "The launch is on 9 June 2026.", true],
    ["2026-03-01: staging runs Postgres 14.", "2026-04-01: staging runs Postgres 16.", true],
    ["2026-03-01: the standup is at 10:00.", "2026-04-01: the standup is at 11:00.", true],
    // What is set holds until it is set anew.
    ["On 2026-03-01 the limit was set to 100 requests.", "On 2026-04-01 the limit was raised to 500 requests.", true],
    // Of other things.
    ["2026-03-01: disk usage on db1 is 61 %", "2026-04-01: CPU load of web7 is 74 %", true],
  ])("make no pair: '%s', '%s'", (one, other, pairs) => {
    expect(olderOf(aRow({ content: one }), aRow({ content: other })) !== null).toBe(pairs);
  });
});

describe("a turn of a conversation", () => {
  test.each<[string, string | null, boolean]>([
    ["Mia: Thanks, Tom! That is really kind of you.", "run-1", true],
    ["Dr. Tom Weber: I moved to Bergen in March.", "run-1", true],
    ["Mia: Thanks, Tom! That is really kind of you.", null, false],
    ["Contact for invoices: Marta Weber", "run-1", false],
    ["The staging database runs Postgres 16.", "run-1", false],
    ["Deploys: weekly", "run-1", false],
  ])("is told by its run and its speaker: %s", (content, run_id, expected) => {
    expect(isTurn({ run_id, content })).toBe(expected);
  });

  test("makes no pair with anything", () => {
    const turn = aRow({ run_id: "run-1", content: "Mia: The staging database runs Postgres 16." });
    const candidate = { memory: turn, closeness: 0.9, shared_words: 0 };
    expect(pairWith(readMemory(aRow()), candidate, NONE)).toBeNull();
  });

  test.each<[string, string, boolean]>([
    ["Mia: I moved to Bergen in March.", "Tom: Great, how do you like it there?", false],
    ["Mia: I moved to Bergen in March.", "Mia lives in Oslo.", true],
    ["Staging: the database runs Postgres 14.", "Staging: the database runs Postgres 16.", true],
    ["Decision: we deploy on Fridays.", "Decision: we deploy on Mondays.", true],
  ])("without a run is told by who speaks to whom, and makes no pair with another: '%s', '%s'", (one, other, pairs) => {
    const candidate = { memory: aRow({ content: other }), closeness: 0.9, shared_words: 0 };
    expect(pairWith(readMemory(aRow({ content: one })), candidate, NONE) !== null).toBe(pairs);
  });
});
