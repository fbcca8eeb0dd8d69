import { afterAll, describe, expect, test } from "bun:test";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aStatement } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { refusalOf } from "../../support/credentials.ts";

const clock = fakeClock();
const app = await startApp({ clock });
afterAll(() => app.stop());
const api = memoriesApi(app.client);
const at = (id: string) => `${MEMORIES}/${id}?tenant_id=default`;
const setStatus = (id: string, status: string) => app.client.call("PATCH", at(id), { body: { status } });
const MINUTE_MS = 60_000;

/** Ways for a row to be live no more. */
const GONE: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  outdated: (id) => setStatus(id, "outdated"),
  conflicted: (id) => setStatus(id, "conflicted"),
  archived: (id) => setStatus(id, "archived"),
  cancelled: (id) => setStatus(id, "cancelled"),
  deleted: (id) => api.remove(id),
  expired: async (id) => {
    const expires_at = new Date(clock.now() + MINUTE_MS).toISOString();
    await app.client.call("PATCH", at(id), { body: { expires_at } });
    clock.advance(2 * MINUTE_MS);
  },
};

describe.each(Object.entries(GONE))("a text whose twin is %s", (_name, leave) => {
  test("is a new row of a single write, in strong mode too", async () => {
    const content = aStatement("returning");
    const first = await api.write({ content });
    await leave(first.id);
    const second = await api.write({ content, write_mode: "strong" });
    expect(second.id).not.toBe(first.id);
    expect(refusalOf(await app.client.refused("POST", MEMORIES, { body: { tenant_id: "default", content } }))).toEqual([
      409,
      "DUPLICATE_MEMORY",
    ]);
  });

  test("is a new row of a bulk", async () => {
    const content = aStatement("returning in bulk");
    const first = await api.write({ content });
    await leave(first.id);
    const { results } = await api.bulk([{ content }, { content }], { agent_id: first.agent_id });
    expect(results.map(({ status }) => status)).toEqual(["created", "duplicate_content"]);
    expect(results[1]?.duplicate_of).toBe(results[0]?.id ?? "");
  });

  test("may be given to another row by a patch", async () => {
    const content = aStatement("returning by patch");
    const first = await api.write({ content });
    const other = await api.write({ content: aStatement("something else") });
    expect(refusalOf(await app.client.refused("PATCH", at(other.id), { body: { content } }))).toEqual([
      409,
      "DUPLICATE_MEMORY",
    ]);
    await leave(first.id);
    expect((await app.client.call("PATCH", at(other.id), { body: { content } })).status).toBe(200);
  });
});

test("a row set back to live stands beside the twin that was written meanwhile, and both keep further copies out", async () => {
  const content = aStatement("twice live");
  const first = await api.write({ content });
  await setStatus(first.id, "archived");
  const second = await api.write({ content });
  expect((await setStatus(first.id, "active")).status).toBe(200);
  const rows = await Promise.all([first.id, second.id].map((id) => api.get(id)));
  expect(rows.map(({ status }) => status)).toEqual(["active", "active"]);
  const again = await app.client.refused("POST", MEMORIES, { body: { tenant_id: "default", content } });
  expect(refusalOf(again)).toEqual([409, "DUPLICATE_MEMORY"]);
});
