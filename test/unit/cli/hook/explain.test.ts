import { expect, test } from "bun:test";
import { reasonsOf } from "../../../../src/cli/hook/explain.ts";
import type { ToldCounts } from "../../../../src/core/schema/observing/told.ts";

const asked = {
  project: null,
  answer: "",
  told: new Map<string, ToldCounts>(),
  wasTold: () => false,
  floor: 0.2,
  room: 900,
};

test("where nothing is near, that is said, with where it was looked and what the server warns of", () => {
  expect(reasonsOf({ ...asked, near: { items: [], warnings: ["The model is loading."] } })).toEqual([
    "The model is loading.",
    "nothing is near in what is for everyone, as this is no project; what scores 0.2 or more is told, once a session, in 900 characters",
  ]);
});

test("a memory that replaces another has no score of its own", () => {
  const items = [{ id: "b", content: "Now it is blue.", score: null }];
  const said = reasonsOf({ ...asked, near: { items, warnings: [] }, answer: "- [2026-03-01, id b] Now it is blue." });
  expect(said[1]).toBe("with what it replaces, told: [b] Now it is blue.");
});

test("of a memory that scores less as nobody used it, that is said", () => {
  const items = ["sunk", "used", "fresh"].map((id) => ({ id, content: "It is blue.", score: 0.15 }));
  const counts = (memory_id: string, watched: number, used: number): [string, ToldCounts] => [
    memory_id,
    { memory_id, told: 9, watched, used, last_told_at: null },
  ];
  const told = new Map([counts("sunk", 9, 0), counts("used", 9, 1)]);
  expect(reasonsOf({ ...asked, near: { items, warnings: [] }, told }).slice(1)).toEqual([
    "0.15, less than 0.2, told 9 times, never used: [sunk] It is blue.",
    "0.15, less than 0.2: [used] It is blue.",
    "0.15, less than 0.2: [fresh] It is blue.",
  ]);
});
