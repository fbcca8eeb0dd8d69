import { expect, test } from "bun:test";
import { eventBody } from "../../../src/http/events/event-body.ts";

/** Events that never come, or one at once. */
async function* events(isOne: boolean) {
  if (isOne) yield { event: "change", data: {} };
  await Promise.withResolvers<void>().promise;
}

test.each([
  ["at a beat", false],
  ["before an event", true],
])("a stream whose reader cannot be asked about ends %s, and gives its place back once", async (_when, isOne) => {
  let ended = 0;
  const body = eventBody({
    events: events(isOne),
    times: { beat_ms: 10, life_ms: 60_000 },
    isAllowed: () => Promise.reject(new Error("The storage is closed.")),
    onEnd: () => ended++,
  });
  expect(await new Response(body).text()).toBe("");
  await Bun.sleep(50);
  expect(ended).toBe(1);
});
