import { afterAll, expect, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import type { Judge } from "../../../src/core/ports/judge.ts";
import { contradictionsApi } from "../../support/api/contradictions.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { openApp } from "../../support/in-process.ts";

/** A judge that takes everything for a clash, and counts what it reads. */
let judged = 0;
const judge: Judge = {
  id: "a-judge",
  state: () => ({ phase: "ready" }),
  score: async (pairs) => {
    judged += pairs.length;
    return pairs.map(() => ({ clash: 1, replaced: 1, whole: 1 }));
  },
};
const { app, client, settle } = await openApp({
  embedder: hashEmbedder(),
  judge,
  flags: ["--many-valued-predicates=sponsored_by,ships to"],
});
afterAll(() => app.stop());
const api = { ...memoriesApi(client), ...contradictionsApi(client) };

const subject = (i: number): string => `5f0c8a52-3c0f-4f57-9a51-${String(i).padStart(12, "0")}`;
let fleets = 0;

/** Two rows with a triple each, in a fleet of their own, under texts that tell nothing. */
async function write(one: object, other: object) {
  const fleet_id = `fleet-${++fleets}`;
  const first = await api.write(`Noted on the way, entry ${fleets} of the first book.`, { fleet_id, ...one });
  const second = await api.write(`Found in a drawer later, sheet ${fleets}.`, { fleet_id, ...other });
  return { first, second };
}

const VALUES: readonly (readonly [string, string])[] = [
  ["Paris", "Berlin"],
  ["eu-west-1", "us-east-2"],
  ["8080", "9090"],
  ["90 minutes", "two hours"],
  ["4 March 2026", "6 March 2026"],
  ["$1,500", "$1,800"],
  ["v2.4", "v3.0"],
  ["yes", "no"],
  ["Quorvex Oy", "Tamsil GmbH"],
  ["weekly", "daily"],
];
const SAME: readonly (readonly [string, string])[] = [
  ["Paris", "PARIS"],
  ["Braga", "Braga, Portugal"],
  ["90 minutes", "1.5 hours"],
  ["4 March 2026", "2026-03-04"],
  ["$1,500", "1500 dollars"],
];
const FIELDS = [
  "region",
  "Lives In",
  "port",
  "owner",
  "costs",
  "status-of-order",
  "reportsTo",
  "due",
  "x",
  "capital of",
];

test("of a hundred pairs of triples at odds all are found, at once and whatever the texts say; no model is asked", async () => {
  const written = [];
  for (const [i, field] of FIELDS.entries()) {
    for (const [j, [one, other]] of VALUES.entries()) {
      const triple = { subject_entity_id: subject(100 * i + j), predicate: field };
      written.push(await write({ ...triple, object_value: one }, { ...triple, object_value: other }));
    }
  }
  judged = 0;
  await settle();
  for (const { first, second } of written) {
    expect((await api.get(first.id)).status).toBe("outdated");
    const { contradictions } = await api.contradictions(second.id);
    expect(contradictions).toMatchObject([
      { memory_id: first.id, rule: "rdf_conflict", confidence: 1, direction: "supersedes" },
    ]);
  }
  expect(judged).toBe(0);
});

test("of a hundred compatible pairs of triples none is found, whatever the judge would say", async () => {
  const written = [];
  const several = ["speaks", "Likes", "member of", "sponsored_by", "Ships To"];
  for (const [i, field] of FIELDS.slice(0, 5).entries()) {
    for (const [j, [one, other]] of SAME.entries()) {
      const triple = { subject_entity_id: subject(9_000 + 100 * i + j), predicate: field };
      written.push(await write({ ...triple, object_value: one }, { ...triple, object_value: other }));
    }
    for (const [j, [one, other]] of VALUES.entries()) {
      const predicate = several[i % several.length];
      const triple = { subject_entity_id: subject(20_000 + 100 * i + j), predicate };
      written.push(await write({ ...triple, object_value: one }, { ...triple, object_value: other }));
    }
    for (const [j, [one, other]] of VALUES.slice(0, 5).entries()) {
      const [a, b] = [subject(30_000 + 100 * i + j), subject(40_000 + 100 * i + j)];
      written.push(
        await write(
          { subject_entity_id: a, predicate: field, object_value: one },
          { subject_entity_id: b, predicate: field, object_value: other },
        ),
      );
    }
  }
  expect(written).toHaveLength(100);
  judged = 0;
  await settle();
  for (const { first } of written) expect((await api.get(first.id)).status).toBe("active");
  expect(judged).toBe(0);
});

test("a triple that changes is compared again, and what rested on the earlier one is taken back", async () => {
  const triple = { subject_entity_id: subject(50_000), predicate: "region" };
  const { first, second } = await write(
    { ...triple, object_value: "eu-west-1" },
    { ...triple, object_value: "us-east-2" },
  );
  await settle();
  expect((await api.get(first.id)).status).toBe("outdated");
  await api.patch(second.id, { object_value: "EU-West-1" });
  await settle();
  expect((await api.get(first.id)).status).toBe("active");
  await api.patch(second.id, { object_value: "ap-south-1" });
  await settle();
  expect((await api.get(first.id)).status).toBe("outdated");
});

test("what callers state is compared at once, also while the judge has much to read", async () => {
  const answered = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const slow: Judge = {
    ...judge,
    score: async (pairs) => {
      asked.resolve();
      await answered.promise;
      return pairs.map(() => ({ clash: 0, replaced: 0, whole: 1 }));
    },
  };
  const busy = await openApp({ embedder: hashEmbedder(), judge: slow });
  const busyApi = { ...memoriesApi(busy.client), ...contradictionsApi(busy.client) };
  busy.app.runner.start();
  for (const day of ["Monday", "Tuesday"]) await busyApi.write(`The violin makes a strange noise on ${day}.`);
  await asked.promise;
  const first = await busyApi.write("Noted on the way.", {
    subject_entity_id: subject(1),
    predicate: "paint",
    object_value: "green",
  });
  const second = await busyApi.write("Found in a drawer.", {
    subject_entity_id: subject(1),
    predicate: "paint",
    object_value: "blue",
  });
  while ((await busyApi.get(first.id)).status === "active") await Bun.sleep(2);
  expect((await busyApi.contradictions(second.id)).contradictions).toMatchObject([{ rule: "rdf_conflict" }]);
  expect((await busyApi.contradictions(second.id)).checked_at).toBeNull();
  answered.resolve();
  await busy.settle();
  expect((await busyApi.contradictions(second.id)).contradictions).toHaveLength(1);
  await busy.app.stop();
});
