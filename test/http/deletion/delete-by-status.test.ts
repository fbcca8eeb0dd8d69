import { afterAll, expect, test } from "bun:test";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { aStatement, TENANT } from "../../support/builders.ts";
import { openApp } from "../../support/in-process.ts";

const { app, client, settle } = await openApp();
afterAll(() => app.stop());
const api = memoriesApi(client);

/** More than are deleted at once, so that what the first of them frees is there before the last of them goes. */
const OTHERS = 60;

test.each([{ erase: false }, { erase: true }])(
  "a deletion by status takes what matches when it begins, never what it frees: %p",
  async ({ erase }) => {
    const kept = await api.write({ content: "The office of Nordlicht has 14 rooms.", memory_type: "fact" });
    await Bun.sleep(2);
    const content = "The office of Nordlicht has 20 rooms now.";
    const overtaking = await api.write({ content, memory_type: "fact" });
    await settle();
    expect(["outdated", "conflicted"]).toContain((await api.get(kept.id)).status);
    const items = Array.from({ length: OTHERS }, (_, i) => ({ content: aStatement(`other ${i} of ${erase}`) }));
    await client.call("POST", `${MEMORIES}/bulk`, { body: { tenant_id: TENANT, items } });
    const { headers } = await client.call("DELETE", MEMORIES, {
      query: { tenant_id: TENANT, status: "active", erase },
    });
    expect(headers.get("x-deleted-count")).toBe(String(OTHERS + 1));
    await settle();
    expect((await api.get(kept.id)).status).toBe("active");
    await client.refused("GET", `${MEMORIES}/${overtaking.id}?tenant_id=${TENANT}`);
    await client.call("DELETE", MEMORIES, { query: { tenant_id: TENANT, erase: true } });
  },
);
