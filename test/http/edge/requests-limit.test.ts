import { expect, test } from "bun:test";
import { MEMORIES } from "../../support/api/memories.ts";
import { aMemory } from "../../support/builders.ts";
import { openApp } from "../../support/in-process.ts";

const LIMIT = 3;

/** A body that comes when the test lets it come. */
function slowBody() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const body = new ReadableStream({
    pull: async (controller) => {
      await promise;
      controller.enqueue(new TextEncoder().encode(JSON.stringify(aMemory())));
      controller.close();
    },
  });
  return { body, arrive: resolve };
}

test("more requests than one caller may have in hand are told to come back, and served once others are answered", async () => {
  const { app, client } = await openApp({ flags: [`--requests-limit=${2 * LIMIT}`] });
  const slow = Array.from({ length: LIMIT }, slowBody);
  const held = slow.map(({ body }) =>
    app.handle(
      new Request(`http://localhost${MEMORIES}`, {
        method: "POST",
        body,
        headers: { "Content-Type": "application/json" },
      }),
    ),
  );
  await Bun.sleep(0);
  const { status, headers, body } = await client.refused("POST", MEMORIES, { body: aMemory() });
  expect([status, body.error.code, headers.get("Retry-After")]).toEqual([503, "UNAVAILABLE", "1"]);
  expect(body.error.message).toMatch(/nothing was done\. Send it again/);
  for (const { arrive } of slow) arrive();
  for (const reply of held) expect((await reply).status).toBeLessThan(500);
  expect((await client.call("POST", MEMORIES, { body: aMemory() })).status).toBeLessThan(500);
  await app.stop();
});
