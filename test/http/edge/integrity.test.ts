import { afterAll, beforeAll, expect, test } from "bun:test";
import { IndexesRebuilt, IntegrityReport, IntegrityRunState } from "../../../src/core/schema/integrity.ts";
import type { Client } from "../../support/api/client.ts";
import { aMemory, aStatement } from "../../support/builders.ts";
import { holder, refusalOf } from "../../support/credentials.ts";
import { turnsDuring } from "../../support/event-loop.ts";
import type { InProcess } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";
import { onSqlite } from "../../support/postgres/engine.ts";

/** Enough for a check in memory to take longer than one turn; each statement of a database has a turn of its own. */
const inMemory = onSqlite("a check that is one long turn unless it ends turns itself");
const ROWS = inMemory.runs ? 2_000 : 300;
let server: InProcess;
beforeAll(async () => {
  server = await openApp();
  const items = Array.from({ length: ROWS }, () => ({ content: aStatement() }));
  for (let i = 0; i < ROWS; i += 100)
    await server.client.call("POST", "/api/v1/memories/bulk", {
      body: { tenant_id: "default", items: items.slice(i, i + 100) },
    });
  await server.settle();
});
afterAll(() => server.app.stop());

const INTEGRITY = "/api/v1/integrity";
const RUN = `${INTEGRITY}/run`;

async function endOf(client: Client) {
  for (;;) {
    const { run } = await client.ok(IntegrityRunState, "GET", RUN);
    if (run?.state !== "running") return run;
    await Bun.sleep(5);
  }
}

test("a run answers at once, tells how far it is, and at its end what was found", async () => {
  const { run } = await server.client.ok(IntegrityRunState, "POST", RUN, { body: { kind: "check" } });
  expect(run).toMatchObject({ kind: "check", state: "running", report: null, finished_at: null });
  const ended = await endOf(server.client);
  expect(ended).toMatchObject({ kind: "check", state: "finished", report: { ok: true, damaged: [] }, error: null });
  expect(ended?.done).toBe(ended?.total ?? 0);
  expect(ended?.done).toBeGreaterThan(10);
});

/** Requests that are sent arrive within these. */
const WHILE_OTHERS_ASK_MS = 300;

test("whoever asks for a check while one runs gets the result of that one", async () => {
  let begun = 0;
  const { indexes } = server.app.services.storage;
  const inspect = indexes.inspect;
  Object.assign(indexes, {
    inspect: async (...asked: Parameters<typeof inspect>) => {
      begun++;
      // An engine within this process answers before others have asked.
      await Bun.sleep(WHILE_OTHERS_ASK_MS);
      return inspect(...asked);
    },
  });
  const ask = () => server.client.ok(IntegrityReport, "GET", INTEGRITY);
  const first = ask();
  while (begun === 0) await Bun.sleep(1);
  const others = Array.from({ length: 4 }, ask);
  await Promise.all([first, ...others]);
  Object.assign(indexes, { inspect });
  expect(begun).toBe(1);
});

test("a rebuild tells how far it is, and what it did", async () => {
  await server.client.ok(IntegrityRunState, "POST", RUN, { body: { kind: "rebuild" } });
  const ended = await endOf(server.client);
  expect(ended).toMatchObject({
    kind: "rebuild",
    state: "finished",
    rebuilt: { memories: ROWS },
    report: { ok: true },
  });
});

inMemory.test("callers have their turn while a store in memory is checked", async () => {
  expect(await turnsDuring(() => server.client.ok(IntegrityReport, "GET", INTEGRITY))).toBeGreaterThan(1);
});

test("an empty store has every check, too", async () => {
  const empty = await openApp();
  const [none, some] = await Promise.all(
    [empty, server].map(async ({ client }) => (await client.ok(IntegrityReport, "GET", INTEGRITY)).checks),
  );
  expect(none?.map(({ name }) => name)).toEqual(some?.map(({ name }) => name) ?? []);
  expect(none?.every(({ ok }) => ok)).toBe(true);
  await empty.app.stop();
});

test("who is no administrator learns nothing, and begins nothing", async () => {
  const agent = await holder(server.client, { agent_id: "ada", trust: 3 });
  const tenant = await holder(server.client, {});
  for (const caller of [agent, tenant]) {
    for (const [method, path] of [
      ["GET", INTEGRITY],
      ["POST", `${INTEGRITY}/rebuild`],
      ["POST", RUN],
      ["GET", RUN],
    ] as const) {
      const body = method === "POST" && path === RUN ? { body: {} } : {};
      expect(refusalOf(await caller.refused(method, path, body))).toEqual([403, "ADMIN_REQUIRED"]);
    }
  }
});

test("another tenant's administrator is told of that tenant alone, and makes nothing anew", async () => {
  const other = await holder(server.client, { tenant_id: "other", admin: true });
  const { client, app } = server;
  expect((await other.ok(IntegrityRunState, "GET", RUN)).run).toBeNull();
  const keptBefore = await app.services.storage.memories.counters();
  await other.call("POST", "/api/v1/memories", { body: aMemory({ tenant_id: "other" }) });
  await server.settle();
  expect(keptBefore.memory_count).toBe(ROWS);
  const { checks } = await other.ok(IntegrityReport, "GET", INTEGRITY);
  expect(checks.map(({ name }) => name)).not.toContain("data file");
  expect(checks.map(({ name }) => name)).toContain("memory keywords");
  expect(refusalOf(await other.refused("POST", `${INTEGRITY}/rebuild`))).toEqual([403, "ADMIN_REQUIRED"]);
  expect(refusalOf(await other.refused("POST", RUN, { body: { kind: "rebuild" } }))).toEqual([403, "ADMIN_REQUIRED"]);
  expect((await other.ok(IntegrityRunState, "GET", RUN)).run).toMatchObject({ kind: "check" });
  const own = (await client.ok(IntegrityRunState, "GET", RUN)).run?.report?.checks ?? [];
  // A database looks after its files itself.
  expect(own.map(({ name }) => name)).toContain(
    app.services.storage.engine === "postgres" ? "keyword counts" : "data file",
  );
  await client.ok(IndexesRebuilt, "POST", `${INTEGRITY}/rebuild`);
});
