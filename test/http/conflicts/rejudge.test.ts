import { afterAll, expect, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import type { Judge, Judgement } from "../../../src/core/ports/judge.ts";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { IntegrityReport } from "../../../src/core/schema/integrity.ts";
import { Conflict, ConflictPage } from "../../../src/core/schema/observing/conflict.ts";
import { contradictionsApi } from "../../support/api/contradictions.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";
import type { LevelledPair } from "../../support/possible.ts";
import { aPair, judgeBy } from "../../support/possible.ts";

/** What the judge of now makes of pairs, by the older text. */
const scores = new Map<string, Judgement>();
let isBroken = false;
const scored = judgeBy(({ older }) => scores.get(older));
const judge: Judge = {
  ...scored,
  score: async (pairs, options) => (isBroken ? null : await scored.score(pairs, options)),
};

const clock = fakeClock();
const { app, client, settle } = await openApp({ clock, embedder: hashEmbedder(), judge });
afterAll(() => app.stop());
const api = { ...memoriesApi(client), ...contradictionsApi(client) };

interface Pair {
  readonly texts: LevelledPair;
  readonly older_id: string;
  readonly newer_id: string;
  readonly fleet_id: string;
}

const LEVELS = ["nothing", "part", "possible", "sure"] as const;
/** What a judge makes of a pair. */
type Level = (typeof LEVELS)[number];
const POSSIBLE: readonly Level[] = ["part", "possible"];

function setLevel({ older, scores: at }: LevelledPair, level: Level): void {
  scores.set(older, level === "part" ? { ...at.sure, whole: 0 } : at[level]);
}

let fleets = 0;
/** Two texts in a fleet of their own, looked at by the former judge; the older one was confirmed. */
async function aPairFound(former: Level): Promise<Pair> {
  const fleet_id = `fleet-${++fleets}`;
  const texts = await aPair(`Sankt ${"abcdefghijklmnopqrstuvwxyz"[fleets]}burg`);
  setLevel(texts, former);
  const { id: older_id } = await api.write(texts.older, { fleet_id, status: "confirmed" });
  clock.advance(1_000);
  const { id: newer_id } = await api.write(texts.newer, { fleet_id });
  await settle();
  const pair = { texts, older_id, newer_id, fleet_id };
  expect(await foundOf(pair)).toBe(former);
  return pair;
}

/** What stands of a pair, with the statuses and the link that follow from it. */
async function foundOf({ older_id, newer_id }: Pair): Promise<Level> {
  const { contradictions, possible_conflicts } = await api.contradictions(older_id);
  expect(contradictions.length + possible_conflicts.length).toBeLessThanOrEqual(1);
  const isSure = contradictions.length > 0;
  expect((await api.get(older_id)).status).toBe(isSure ? "outdated" : "confirmed");
  expect((await api.get(newer_id)).supersedes_id).toBe(isSure ? older_id : null);
  if (isSure) return "sure";
  const [possible] = possible_conflicts;
  return possible ? (possible.rule === "part" ? "part" : "possible") : "nothing";
}

/** Has all judged anew. */
async function rejudge(): Promise<void> {
  const from = { table: "findings", number: null } as const;
  await app.services.storage.jobs.add(
    [{ kind: "rejudge_memories", payload: { tenant_id: TENANT, from } }],
    clock.now(),
  );
  await settle();
  const { checks } = await client.ok(IntegrityReport, "GET", "/api/v1/integrity");
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
}

const review = ({ newer_id, older_id }: Pair, decision: string) =>
  client.ok(Conflict, "POST", "/api/v1/conflicts/review", { body: { newer_id, older_id, decision } });
const listed = async ({ fleet_id }: Pair) =>
  (await client.ok(ConflictPage, "GET", "/api/v1/conflicts", { query: { fleet_id, state: "all" } })).items;

test.each(LEVELS.flatMap((former) => LEVELS.map((present) => [former, present] as const)))(
  "what the former judge found to be %s, and the present one finds to be %s, is that",
  async (former, present) => {
    const pair = await aPairFound(former);
    const before = await listed(pair);
    clock.advance(1_000);
    setLevel(pair.texts, present);
    await rejudge();
    const found = await foundOf(pair);
    // A finding that was merely possible stays one, by whichever rule.
    const isEither = [former, present].every((one) => POSSIBLE.includes(one));
    expect(isEither ? POSSIBLE : [present]).toContain(found);
    // What both find is the same finding still.
    if (former === present) expect(await listed(pair)).toEqual(before);
  },
);

test("a finding that is taken back says why in the audit log", async () => {
  const pair = await aPairFound("sure");
  setLevel(pair.texts, "nothing");
  await rejudge();
  const query = { target_id: pair.older_id, action: "memory.status" };
  const [freed] = (await client.ok(AuditLog, "GET", "/api/v1/audit-log", { query })).items;
  expect(freed).toMatchObject({
    auth_source: "detector",
    before: { status: "outdated" },
    after: { status: "confirmed" },
    reason: expect.stringContaining("judges the two otherwise"),
  });
});

test.each(["sure", "possible"] as const)(
  "what a person accepted stays, though it was %s and is nothing now",
  async (former) => {
    const pair = await aPairFound(former);
    const accepted = await review(pair, "accept");
    setLevel(pair.texts, "nothing");
    await rejudge();
    expect([await listed(pair), (await api.get(pair.older_id)).status]).toEqual([[accepted], "outdated"]);
  },
);

test.each(["sure", "possible"] as const)(
  "what a person said to stand is not found again, though it is %s now",
  async (present) => {
    const pair = await aPairFound("possible");
    const stands = await review(pair, "both_stand");
    setLevel(pair.texts, present);
    await rejudge();
    expect([await listed(pair), await foundOf(pair)]).toEqual([[stands], "nothing"]);
  },
);

test("what callers stated is theirs to say, whatever the judge makes of the texts", async () => {
  const fleet_id = "stated";
  const texts = await aPair("Sankt Stated");
  setLevel(texts, "nothing");
  const stating = { fleet_id, subject_entity_id: crypto.randomUUID(), predicate: "meets_in" };
  const { id } = await api.write(texts.older, { ...stating, object_value: "cellar" });
  clock.advance(1_000);
  await api.write(texts.newer, { ...stating, object_value: "hall" });
  await settle();
  expect((await api.get(id)).status).toBe("outdated");
  await rejudge();
  expect((await api.contradictions(id)).contradictions).toMatchObject([{ rule: "rdf_conflict" }]);
});

test("while the judge does not answer nothing is taken back", async () => {
  const pairs = [await aPairFound("sure"), await aPairFound("possible")];
  isBroken = true;
  await rejudge();
  isBroken = false;
  expect(await Promise.all(pairs.map(foundOf))).toEqual(["sure", "possible"]);
});

test("more findings than are judged in one step are judged all", async () => {
  const texts = await aPair("Sankt Manyburg");
  setLevel(texts, "sure");
  const homes = Array.from({ length: 55 }, () => ({ fleet_id: `fleet-${++fleets}` }));
  const olders: string[] = [];
  for (const home of homes) olders.push((await api.write(texts.older, home)).id);
  clock.advance(1_000);
  for (const home of homes) await api.write(texts.newer, home);
  await settle();
  const statuses = async () => new Set(await Promise.all(olders.map(async (id) => (await api.get(id)).status)));
  expect(await statuses()).toEqual(new Set(["outdated"]));
  setLevel(texts, "nothing");
  await rejudge();
  expect(await statuses()).toEqual(new Set(["active"]));
});
