import { expect, test } from "bun:test";
import { watchStages } from "../../../src/search/why/stage-times.ts";

test("stages stand in the order in which they first ended, and their parts are added up", async () => {
  const watch = watchStages(7);
  watch.ended("names");
  await Bun.sleep(20);
  watch.ended("scoring");
  watch.ended("candidates");
  await Bun.sleep(20);
  watch.ended("scoring");
  const times = watch.times();
  expect([...times.keys()]).toEqual(["embed", "names", "scoring", "candidates"]);
  expect(times.get("embed")).toBe(7);
  expect(times.get("scoring")).toBeGreaterThanOrEqual(38);
  expect(times.get("names")).toBeLessThan(20);
});

test("nothing between two stages is lost", async () => {
  const startedAt = performance.now();
  const watch = watchStages();
  for (const stage of ["names", "embed", "candidates"] as const) {
    await Bun.sleep(5);
    watch.ended(stage);
  }
  const whole = performance.now() - startedAt;
  const sum = [...watch.times().values()].reduce((all, ms) => all + ms, 0);
  expect(whole - sum).toBeWithin(0, 5);
});
