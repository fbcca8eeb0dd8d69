import { expect, test } from "bun:test";
import { reasonsOf } from "../../../../src/cli/hook/explain.ts";

const asked = { project: null, answer: "", wasTold: () => false, floor: 0.2, room: 900 };

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
