import { afterAll, expect, test } from "bun:test";
import { pairWith, readMemory } from "../../../src/conflicts/pair.ts";
import { saidToStand } from "../../../src/conflicts/said-to-stand.ts";
import type { NewFinding } from "../../../src/core/ports/finding.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { ACTOR, aBatch, anEntry, aRow } from "../../support/builders.ts";
import { openApp } from "../../support/in-process.ts";

const { app } = await openApp();
afterAll(() => app.stop());
const { storage } = app.services;

let fleets = 0;
/** A place where nothing was decided yet. */
const aFleet = (): string => `fleet-${++fleets}`;

type Texts = readonly [older: string, newer: string];
const READINGS: Texts = ["The depot in Oslo opens at eight.", "Visitors reach the Oslo depot from nine on."];

const aFinding = (older: StoredMemory, newer: StoredMemory): NewFinding => ({
  ...{ older, newer, status: "outdated", rule: "judge", confidence: 0.9, why: null },
  older_span: { start: 0, end: 4 },
  newer_span: { start: 0, end: 4 },
});

/** What was found of two texts, not stored. */
const found = (fleet_id: string | null, [older, newer]: Texts): NewFinding =>
  aFinding(aRow({ fleet_id, content: older }), aRow({ fleet_id, content: newer }));

/** Has somebody decide of two texts that were written down. */
async function decide(fleet_id: string | null, texts: Texts, decision: "both_stand" | "accept" = "both_stand") {
  const one = found(fleet_id, texts);
  const { newer, older } = one;
  await storage.memories.insert(aBatch([anEntry(older), anEntry(newer)]));
  await storage.contradictions.put(one, ACTOR);
  const named = { newer_id: newer.id, older_id: older.id, filter: { tenant_id: newer.tenant_id } };
  const reviewed = await storage.contradictions.review({ ...named, decision, reason: null, permit: () => {} }, ACTOR);
  expect(reviewed).not.toBeNull();
}

/** Whether a pair of texts needs nobody any more. */
async function settles({ older, newer }: NewFinding): Promise<boolean> {
  const pair = pairWith(readMemory(newer), { memory: older, closeness: 1, shared_words: 1 }, new Set());
  return pair !== null && saidToStand(app.services)(pair);
}

/** Whether nobody is asked about two texts once somebody said of two others that both stand. */
async function isSettled(said: Texts, asked: Texts): Promise<boolean> {
  const fleet = aFleet();
  await decide(fleet, said);
  return settles(found(fleet, asked));
}

const [EIGHT, NINE] = READINGS;

test.each<[string, Texts]>([
  ["the same words", READINGS],
  ["another order of words", ["In Oslo, the depot opens at eight.", "From nine on visitors reach the Oslo depot."]],
  ["another case", [EIGHT.toUpperCase(), NINE.toLowerCase()]],
  ["the newer as the older one", [NINE, EIGHT]],
])("near repeats of two texts said to stand are settled: %s", async (_, asked) => {
  expect(await isSettled(READINGS, asked)).toBe(true);
});

const WITH_FIGURES: Texts = [
  "The read timeout of the billing gateway is 30 seconds.",
  "Requests to the billing gateway time out after 45 seconds.",
];
const [THIRTY, FORTY_FIVE] = WITH_FIGURES;

test.each<[string, Texts]>([
  ["another figure in the one", [THIRTY.replace("30", "60"), FORTY_FIVE]],
  ["another figure in the other", [THIRTY, FORTY_FIVE.replace("45", "50")]],
  ["another figure, the other way round", [FORTY_FIVE, THIRTY.replace("30", "60")]],
  ["one figure more", [THIRTY, FORTY_FIVE.replace("45", "45 or 50")]],
  ["one text twice", [THIRTY, THIRTY]],
  ["one text with something else", [THIRTY, "The depot in Oslo opens at eight."]],
  ["a denial", [THIRTY.replace("is 30", "is not 30"), FORTY_FIVE]],
  ["another name", [THIRTY.replace("billing", "payroll"), FORTY_FIVE]],
  ["other words in one of them", [THIRTY, "After 45 seconds nobody in Oslo waits for the depot any longer."]],
])("another statement is not settled: %s", async (_, asked) => {
  expect(await isSettled(WITH_FIGURES, WITH_FIGURES)).toBe(true);
  expect(await isSettled(WITH_FIGURES, asked)).toBe(false);
});

test.each<[string, Texts, Texts, boolean]>([
  [
    "German, in another order",
    ["Der Hafen in Kiel schließt um 18 Uhr.", "Das Tor am Kieler Hafen bleibt bis 21 Uhr offen."],
    ["Um 18 Uhr schließt der Hafen in Kiel.", "Bis 21 Uhr bleibt das Tor am Kieler Hafen offen."],
    true,
  ],
  [
    "German, another figure",
    ["Der Hafen in Kiel schließt um 18 Uhr.", "Das Tor am Kieler Hafen bleibt bis 21 Uhr offen."],
    ["Der Hafen in Kiel schließt um 19 Uhr.", "Das Tor am Kieler Hafen bleibt bis 21 Uhr offen."],
    false,
  ],
  [
    "Chinese, with other marks",
    ["图书馆在晚上 6 点关门。", "阅览室晚上 9 点以后才没有人。"],
    ["图书馆在晚上 6 点关门！", "阅览室晚上 9 点以后才没有人"],
    true,
  ],
  [
    "Chinese, another figure",
    ["图书馆在晚上 6 点关门。", "阅览室晚上 9 点以后才没有人。"],
    ["图书馆在晚上 7 点关门。", "阅览室晚上 9 点以后才没有人。"],
    false,
  ],
])("texts in other languages are compared as well: %s", async (_, said, asked, expected) => {
  expect(await isSettled(said, asked)).toBe(expected);
});

test("nothing is settled by what was accepted, by what another fleet decided, or where nothing was decided", async () => {
  const [fleet, another] = [aFleet(), aFleet()];
  await decide(fleet, READINGS, "accept");
  await decide(another, WITH_FIGURES);
  for (const fleet_id of [fleet, null, aFleet()])
    for (const texts of [READINGS, WITH_FIGURES]) expect(await settles(found(fleet_id, texts))).toBe(false);
});
