import { afterAll, describe, expect, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import type { Judgement } from "../../../src/core/ports/judge.ts";
import { IntegrityReport } from "../../../src/core/schema/integrity.ts";
import { Conflict, ConflictPage } from "../../../src/core/schema/observing/conflict.ts";
import { contradictionsApi, DEMOTED } from "../../support/api/contradictions.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";
import { aPair, judgeBy } from "../../support/possible.ts";

const { older, newer, scores } = await aPair("Ebersbach");
/** The newer text in words that say the same. */
const repeated = `${newer.slice(0, -1).toUpperCase()}!`;
/** A text that surely clashes with each older one. */
const third = "Whoever sings in the choir of Ebersbach meets on the market square.";
/** What the judge makes of the two, and of the one with a repeat of the other. */
let judgement: Judgement = scores.possible;
const judge = judgeBy((pair) =>
  pair.newer === third
    ? { clash: 1, replaced: 0, whole: 1 }
    : pair.older === older && [newer, repeated].includes(pair.newer)
      ? judgement
      : undefined,
);

const clock = fakeClock();
const { app, client, settle } = await openApp({ clock, embedder: hashEmbedder(), judge });
afterAll(() => app.stop());
const api = { ...memoriesApi(client), ...contradictionsApi(client) };

interface Pair {
  readonly older_id: string;
  readonly newer_id: string;
  readonly fleet_id: string;
}

let fleets = 0;
/** The two texts in a fleet of their own, written one after the other and looked at. */
async function aPossible(given: { judged?: Judgement; first?: object; second?: object } = {}): Promise<Pair> {
  const { judged = scores.possible, first = {}, second = {} } = given;
  judgement = judged;
  const fleet_id = `fleet-${++fleets}`;
  const { id: older_id } = await api.write(older, { fleet_id, ...first });
  clock.advance(1_000);
  const { id: newer_id } = await api.write(newer, { fleet_id, ...second });
  await settle();
  return { older_id, newer_id, fleet_id };
}

const list = (query: Record<string, string> = {}) => client.ok(ConflictPage, "GET", "/api/v1/conflicts", { query });
const review = ({ newer_id, older_id }: Pair, decision: string) =>
  client.ok(Conflict, "POST", "/api/v1/conflicts/review", { body: { newer_id, older_id, decision } });
const statusesOf = async ({ older_id, newer_id }: Pair) => [
  (await api.get(older_id)).status,
  (await api.get(newer_id)).status,
];
/** By which rows the older one may have changed, as a list says. */
const changedBy = async ({ older_id, fleet_id }: Pair) =>
  (await api.list({ fleet_id })).items
    .find(({ id }) => id === older_id)
    ?.may_have_changed?.map(({ memory_id }) => memory_id) ?? null;
const faults = async () =>
  (await client.ok(IntegrityReport, "GET", "/api/v1/integrity")).checks.filter(({ ok }) => !ok);

describe("what may have changed", () => {
  test("leaves both rows as they are, without a link, and is told of both sides apart from what is sure", async () => {
    const pair = await aPossible();
    expect(await statusesOf(pair)).toEqual(["active", "active"]);
    expect((await api.get(pair.newer_id)).supersedes_id).toBeNull();
    const seen = await api.contradictions(pair.newer_id);
    expect(seen).toMatchObject({ superseded_by: null, contradictions: [], detection_status: "pending" });
    const [found] = seen.possible_conflicts;
    expect(seen.possible_conflicts).toMatchObject([
      { memory_id: pair.older_id, status: "active", content_preview: older, direction: "supersedes", rule: "judge" },
    ]);
    expect(newer.slice(found?.spans.own.start, found?.spans.own.end)).toBe(found?.spans.own.text ?? "-");
    const fromOlder = await api.contradictions(pair.older_id);
    expect(fromOlder).toMatchObject({ superseded_memories: [], contradictions: [], detection_status: "pending" });
    expect(fromOlder.possible_conflicts).toMatchObject([
      { memory_id: pair.newer_id, direction: "superseded_by", spans: { own: found?.spans.other } },
    ]);
    expect(await faults()).toEqual([]);
  });

  test("shows by what on each reply that shows the older one, and nothing on the newer one", async () => {
    const pair = await aPossible();
    const { created_at } = await api.get(pair.newer_id);
    const [found] = (await api.contradictions(pair.older_id)).possible_conflicts;
    const { confidence = Number.NaN } = found ?? {};
    const shown = [{ memory_id: pair.newer_id, content_preview: newer, created_at, rule: "judge", confidence }];
    const { items } = await api.list({ fleet_id: pair.fleet_id });
    expect(items.map(({ id, may_have_changed }) => [id, may_have_changed])).toEqual([
      [pair.newer_id, null],
      [pair.older_id, shown],
    ]);
    const asked = { fleet_ids: [pair.fleet_id], top_k: 20 };
    const searched = (await api.search("where does the choir meet?", asked)).items;
    const recalled = (await api.recall("where does the choir meet?", asked)).memories;
    for (const some of [searched, recalled]) {
      const changes = new Map(some.map(({ id, may_have_changed }) => [id, may_have_changed]));
      expect([changes.get(pair.older_id), changes.get(pair.newer_id)]).toEqual([shown, null]);
    }
  });

  test("is a conflict to review, counted apart from what waits", async () => {
    const pair = await aPossible();
    expect(await list({ fleet_id: pair.fleet_id })).toMatchObject({
      items: [
        {
          newer: { id: pair.newer_id, status: "active" },
          older: { id: pair.older_id, status: "active" },
          result: "possible",
          state: "open",
        },
      ],
      open_count: 1,
      waiting_count: 0,
      possible_count: 1,
    });
  });

  test("is told to nobody who does not see the older one", async () => {
    const asAda = { agent_id: "ada" };
    const pair = await aPossible({
      first: { ...asAda, visibility: "scope_agent" },
      second: { ...asAda, visibility: "scope_org" },
    });
    const toAda = await api.contradictions(pair.newer_id, asAda);
    expect(toAda.possible_conflicts).toMatchObject([{ memory_id: pair.older_id }]);
    expect((await api.contradictions(pair.newer_id, { agent_id: "bob" })).possible_conflicts).toEqual([]);
    const query = { fleet_id: pair.fleet_id };
    expect((await list({ ...query, ...asAda })).possible_count).toBe(1);
    expect(await list({ ...query, agent_id: "bob" })).toMatchObject({ items: [], possible_count: 0 });
  });

  test("of which only a part has is no more than possible, however sure it is", async () => {
    const pair = await aPossible({ judged: { ...scores.sure, whole: 0.05 } });
    expect(await statusesOf(pair)).toEqual(["active", "active"]);
    expect(await api.contradictions(pair.older_id)).toMatchObject({
      contradictions: [],
      possible_conflicts: [{ memory_id: pair.newer_id, rule: "part" }],
    });
    const whole = await aPossible({ judged: scores.sure });
    expect(DEMOTED).toContain((await statusesOf(whole))[0] ?? "");
    expect((await api.contradictions(whole.older_id)).possible_conflicts).toEqual([]);
  });

  test("is nothing where the decision is less sure than that", async () => {
    const pair = await aPossible({ judged: scores.nothing });
    expect(await statusesOf(pair)).toEqual(["active", "active"]);
    expect([await changedBy(pair), (await list({ fleet_id: pair.fleet_id })).items]).toEqual([null, []]);
  });

  test("is taken back with the newer row", async () => {
    const pair = await aPossible();
    expect(await changedBy(pair)).toEqual([pair.newer_id]);
    await api.remove(pair.newer_id);
    await settle();
    expect(await changedBy(pair)).toBeNull();
    expect((await api.contradictions(pair.older_id)).possible_conflicts).toEqual([]);
    expect((await list({ fleet_id: pair.fleet_id, state: "all" })).items).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  test("is taken back with the text that it was about", async () => {
    const pair = await aPossible();
    await api.patch(pair.older_id, { content: "Nadia prefers green tea in the afternoon." });
    await settle();
    expect([await changedBy(pair), (await list({ fleet_id: pair.fleet_id, state: "all" })).items]).toEqual([null, []]);
  });

  test("gives way to what is sure once that is found of the two", async () => {
    const pair = await aPossible();
    judgement = scores.sure;
    await api.patch(pair.newer_id, { ts_valid_end: "2031-01-01T00:00:00Z" });
    await settle();
    expect(DEMOTED).toContain((await statusesOf(pair))[0] ?? "");
    const { contradictions, possible_conflicts } = await api.contradictions(pair.newer_id);
    expect([contradictions.length, possible_conflicts]).toEqual([1, []]);
    expect(await list({ fleet_id: pair.fleet_id })).toMatchObject({ open_count: 1, possible_count: 0 });
  });
});

describe("a decision about what may have changed", () => {
  test("to accept makes the older row outdated, also when the newer one goes", async () => {
    const pair = await aPossible();
    expect(await review(pair, "accept")).toMatchObject({
      state: "accepted",
      result: "possible",
      older: { status: "outdated" },
    });
    expect((await api.get(pair.newer_id)).supersedes_id).toBe(pair.older_id);
    expect(await api.contradictions(pair.older_id)).toMatchObject({
      contradictions: [{ memory_id: pair.newer_id, reason: "rdf_conflict" }],
      possible_conflicts: [],
    });
    expect(await list({ fleet_id: pair.fleet_id })).toMatchObject({ open_count: 0, possible_count: 0 });
    expect(await faults()).toEqual([]);
    await api.remove(pair.newer_id);
    await settle();
    expect((await api.get(pair.older_id)).status).toBe("outdated");
    expect(await faults()).toEqual([]);
  });

  test("that both stand ends the telling, whatever has the two looked at again", async () => {
    const pair = await aPossible();
    expect(await review(pair, "both_stand")).toMatchObject({ state: "both_stand", older: { status: "active" } });
    for (const id of [pair.newer_id, pair.older_id]) {
      await api.patch(id, { ts_valid_end: "2031-01-01T00:00:00Z" });
      await settle();
    }
    expect([await changedBy(pair), await statusesOf(pair)]).toEqual([null, ["active", "active"]]);
    expect((await api.contradictions(pair.newer_id)).possible_conflicts).toEqual([]);
    expect((await list({ fleet_id: pair.fleet_id, state: "all" })).items).toMatchObject([{ state: "both_stand" }]);
    expect(await faults()).toEqual([]);
  });

  test.each(["accept", "both_stand"])("to %s is taken back whole", async (decision) => {
    const pair = await aPossible();
    const [before] = (await list({ fleet_id: pair.fleet_id })).items;
    await review(pair, decision);
    expect(await changedBy(pair)).toBeNull();
    expect<unknown>(await review(pair, "reopen")).toEqual(before);
    await settle();
    expect(await statusesOf(pair)).toEqual(["active", "active"]);
    expect((await api.get(pair.newer_id)).supersedes_id).toBeNull();
    expect(await changedBy(pair)).toEqual([pair.newer_id]);
    expect(await faults()).toEqual([]);
  });

  test("that both stand counts for the newer one in other letters too, and only among their own", async () => {
    const pair = await aPossible();
    await review(pair, "both_stand");
    const again = await api.write(repeated, { fleet_id: pair.fleet_id });
    await settle();
    expect(again.id).not.toBe(pair.newer_id);
    expect([(await api.get(pair.older_id)).status, await changedBy(pair)]).toEqual(["active", null]);
    const elsewhere = await aPossible();
    await api.remove(elsewhere.newer_id);
    const flagged = await api.write(repeated, { fleet_id: elsewhere.fleet_id });
    await settle();
    const { contradictions, possible_conflicts } = await api.contradictions(elsewhere.older_id);
    expect([...contradictions, ...possible_conflicts].map(({ memory_id }) => memory_id)).toEqual([flagged.id]);
  });

  test("is none that a row was confirmed by hand, which was live all along", async () => {
    const pair = await aPossible();
    await api.setStatus(pair.older_id, "confirmed");
    expect((await list({ fleet_id: pair.fleet_id, state: "all" })).items).toMatchObject([{ state: "open" }]);
    expect((await api.get(pair.older_id)).status).toBe("confirmed");
  });
});

test("of a row that is in conflict with another one nothing is possible any more", async () => {
  const pair = await aPossible();
  await api.write(third, { fleet_id: pair.fleet_id });
  await settle();
  expect((await api.get(pair.older_id)).status).toBe("conflicted");
  const { items, open_count, waiting_count, possible_count } = await list({ fleet_id: pair.fleet_id });
  expect(items.map(({ result }) => result)).not.toContain("possible");
  expect([open_count, waiting_count, possible_count]).toEqual([items.length, items.length, 0]);
});
