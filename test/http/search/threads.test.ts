import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { resolvePrincipal } from "../../../src/access/resolve.ts";
import { Status } from "../../../src/core/schema/system.ts";
import { createSearchThreads } from "../../../src/startup/search-threads/search-threads.ts";
import { type Client, createClient } from "../../support/api/client.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { temporaryFolder } from "../../support/app.ts";
import { type InProcess, openApp } from "../../support/in-process.ts";
import { scriptedLlm, status } from "../../support/scripted-llm.ts";

const Found = z.object({ items: z.array(z.looseObject({ id: z.string() })), recall_tracked: z.boolean() }).loose();
const Recalled = z.looseObject({ memories: z.array(z.looseObject({ id: z.string() })), summary: z.string() });
const Written = z.looseObject({ id: z.string(), recall_count: z.int() });

interface Served extends InProcess {
  /** Calls over HTTP. */
  readonly http: Client;
}
const folders = [temporaryFolder(), temporaryFolder()];
const opened: Served[] = [];

async function serve(folder: string, threads: number): Promise<Served> {
  const inside = await openApp({ folder, flags: [`--search-threads=${threads}`] });
  const { url } = inside.app.listen();
  const served = { ...inside, http: createClient((path, init) => fetch(`${url}${path}`, init)) };
  opened.push(served);
  await inside.app.services.embedder.ready();
  while (inside.app.services.searchThreads.count() < threads) await Bun.sleep(5);
  return served;
}
afterAll(async () => {
  for (const { app } of opened) await app.stop();
  for (const { remove } of folders) remove();
});

const write = (of: Served, content: string, more = {}) =>
  of.http.ok(Written, "POST", "/api/v1/memories", { body: { tenant_id: "default", content, ...more } });
const search = (of: Served, query: string, more = {}) =>
  of.http.ok(Found, "POST", "/api/v1/search", { body: { tenant_id: "default", query, ...more } });

describe("threads that search", () => {
  let [two, none]: (Served | undefined)[] = [];
  const withThreads = () => two ?? expect.unreachable();
  const without = () => none ?? expect.unreachable();

  beforeAll(async () => {
    two = await serve(folders[0]?.path ?? "", 2);
    none = await serve(folders[1]?.path ?? "", 0);
  });

  test("let what was told and never used score less where they are asked to", async () => {
    const scores = async (of: Served) => {
      const { id } = await write(of, "The anvil of the smithy weighs ninety kilograms.");
      const report = { told: [id], watched: [id] };
      for (let i = 0; i < 25; i++) await of.http.call("POST", "/api/v1/memories/told", { body: report });
      const found = [{}, { sink_unused: true }].map((more) => search(of, "how much does the anvil weigh?", more));
      return (await Promise.all(found)).map(({ items }) => items[0]?.score);
    };
    const [usual = 0, sunk] = z.array(z.number()).parse(await scores(withThreads()));
    expect(sunk).toBeCloseTo(usual / 2, 2);
    expect(await scores(without())).toEqual([usual, sunk]);
  });

  test("are told of in the status", async () => {
    const status = await withThreads().http.ok(Status, "GET", "/api/v1/status");
    expect(status).toMatchObject({ search_threads: 2, search_index: { state: "ready" } });
    expect(await without().http.ok(Status, "GET", "/api/v1/status")).toMatchObject({ search_threads: 0 });
  });

  test("answer a search and a recall as the serving thread does", async () => {
    const contents = ["The deploy runs on Friday.", "Anna prefers tea to coffee.", "The port of the service is 8443."];
    for (const content of contents) {
      await write(withThreads(), content);
      await write(without(), content);
    }
    const shown = async (of: Served, query: string) =>
      (await search(of, query)).items.map(({ content, score }) => ({ content, score: Number(score).toFixed(2) }));
    for (const query of ["when is the deploy?", "what does Anna prefer?", "which port?"])
      expect(await shown(withThreads(), query)).toEqual(await shown(without(), query));
    const recall = (of: Served) =>
      of.http.ok(Recalled, "POST", "/api/v1/recall", {
        body: { tenant_id: "default", query: "what does Anna prefer?" },
      });
    const withoutIds = (summary: string) => summary.replaceAll(/\([^)]*\)/g, "");
    expect(withoutIds((await recall(withThreads())).summary)).toBe(withoutIds((await recall(without())).summary));
  });

  test("find what was written before they were asked, every time", async () => {
    for (let i = 0; i < 40; i++) {
      const { id } = await write(withThreads(), `The lighthouse keeper number ${i} lives on rock ${i}.`);
      const { items } = await search(withThreads(), `lighthouse keeper number ${i} rock ${i}`);
      expect(items.map((item) => item.id)).toContain(id);
      if (i % 4 !== 0) continue;
      await withThreads().http.call("DELETE", `/api/v1/memories/${id}`, { query: { tenant_id: "default" } });
      const again = await search(withThreads(), `lighthouse keeper number ${i} rock ${i}`);
      expect(again.items.map((item) => item.id)).not.toContain(id);
    }
  });

  test("refuse what is refused, in the same words", async () => {
    const refused = (of: Served) =>
      of.http.refused("POST", "/api/v1/search", { body: { tenant_id: "somebody else", query: "anything" } });
    const [one, other] = [await refused(withThreads()), await refused(without())];
    const said = ({ status, body: { error } }: typeof one) => ({ status, error: { ...error, request_id: "" } });
    expect(said(one)).toEqual(said(other));
    expect(one.status).toBe(403);
  });

  test("have the rows counted that an agent recalled", async () => {
    const { id } = await write(withThreads(), "The heron nests in the old mill.", { agent_id: "counter" });
    const found = await search(withThreads(), "where does the heron nest?", {
      filter_agent_id: "counter",
      agent_id: "counter",
    });
    expect(found.recall_tracked).toBe(true);
    for (let tries = 0; ; tries++) {
      const row = await withThreads().http.ok(Written, "GET", `/api/v1/memories/${id}`, {
        query: { tenant_id: "default" },
      });
      if (row.recall_count === 1) break;
      if (tries > 200) expect(row.recall_count).toBe(1);
      await Bun.sleep(10);
    }
  });

  test("give no reply where they cannot open the storage", async () => {
    const { services } = withThreads().app;
    const ticket = services.storage.readerTicket(0);
    const storage = { ...services.storage, readerTicket: () => ticket && { ...ticket, file: "/nonexistent/cairn.db" } };
    const broken = createSearchThreads(() => ({ ...services, storage }), 1);
    broken.startSoon();
    const principal = await resolvePrincipal(services, new Headers());
    const order = { verb: "search", principal, input: {} } as const;
    expect(await broken.ask(order)).toBeNull();
    broken.close();
    expect(await broken.ask(order)).toBeNull();
  });
});

test("a language model that refuses is told of as what it said, not as one that was too slow", async () => {
  const llm = scriptedLlm();
  const folder = temporaryFolder();
  llm.script(status(401));
  const flags = [`--llm-base-url=${llm.url}`, "--llm-model=m", "--llm-api-key=wrong", "--search-threads=1"];
  const { app, client } = await openApp({ folder: folder.path, flags });
  app.listen();
  while (app.services.searchThreads.count() < 1) await Bun.sleep(5);
  await memoriesApi(client).write({ content: "The deploy of the shop runs on Friday." });
  const { warnings } = await memoriesApi(client).recall("When does the deploy of the shop run?");
  expect(warnings).toMatchObject([{ code: "llm_unavailable", details: { reason: "key_refused" } }]);
  await app.stop();
  await llm.stop();
  folder.remove();
});
