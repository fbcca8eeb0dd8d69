import { afterAll, describe, expect, test } from "bun:test";
import type { RewordPlace } from "../../../src/core/schema/job.ts";
import { rewordRows } from "../../../src/system/keeping/reword.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { temporaryFolder } from "../../support/app.ts";
import { ACTOR, TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";
import { aChange } from "../contract/documents.ts";
import { ENGINES } from "../engines.ts";

const root = temporaryFolder();
afterAll(() => root.remove());
const HANG_GUARD_MS = 120_000;
const LONG = "Das Haus steht am See. ".repeat(2_500);

describe.each(ENGINES)("$name", ({ open }) => {
  test(
    "rows are worded anew a few at a time, of each tenant, and one that cannot be is left out",
    async () => {
      const storage = await open(fakeClock(), root.path);
      const put = (tenant_id: string, doc_id: string) =>
        storage.documents.upsert({ tenant_id, collection: "books", doc_id }, ACTOR, () =>
          aChange({ text: LONG }, { searchable: { summary: "old", text: "old" } }),
        );
      for (const doc_id of ["one", "broken", "three"]) await put(TENANT, doc_id);
      await put("other", "four");
      await put("other", "gone");
      await storage.documents.remove({ tenant_id: "other", collection: "books", doc_id: "gone" }, ACTOR, () => "gone");
      const read: string[][] = [];
      const failed: unknown[] = [];
      let place: RewordPlace | null = { table: "documents", after: null };
      while (place !== null) {
        const own = new Set<string>();
        const step = await storage.indexes.reword(place, ({ doc_id }) => {
          own.add(doc_id);
          if (doc_id === "broken") throw new Error("No text.");
          return { summary: "Die Produktionsdatenbank läuft.", text: LONG };
        });
        read.push([...own]);
        failed.push(...step.failed.map(({ table }) => table));
        place = step.next;
      }
      expect(read).toEqual([["one"], ["broken"], ["three"], ["four"], []]);
      expect(failed).toEqual(["documents"]);
      const found = async (tenant_id: string) => {
        const { hits } = await storage.documents.hits({
          tenant_id,
          vector: null,
          words: ["produktionsdatenbank"],
          pool: 9,
        });
        return hits.map(({ document }) => document.doc_id).sort();
      };
      expect([await found(TENANT), await found("other")]).toEqual([["one", "three"], ["four"]]);
      await storage.close();
    },
    HANG_GUARD_MS,
  );
});

test("the job works for some seconds and leaves the rest to the next one, which goes on where it was", async () => {
  let now = Date.now();
  const clock = { now: () => (now += 6_000) };
  const { app, client, settle } = await openApp({ clock });
  const api = memoriesApi(client);
  const ids: string[] = [];
  for (const place of ["am See", "im Keller", "auf dem Hof"])
    ids.push((await api.write({ content: `Die Kasse steht ${place}.` })).id);
  await api.remove(ids[1] ?? "");
  await settle();
  const { jobs } = app.services.storage;
  await rewordRows(app.services, { payload: {}, signal: new AbortController().signal });
  const next = await jobs.claim(clock.now(), 60_000, ["others"]);
  expect(next?.job).toEqual({
    kind: "reword_rows",
    payload: { from: { table: "memories", after: expect.any(Number) } },
  });
  if (next) await jobs.retry(next.id, clock.now(), "broken off");
  await settle();
  expect(await jobs.tally(clock.now(), null)).toMatchObject({ due: 0, running: 0, scheduled: 0 });
  const { checks } = await app.services.storage.indexes.inspect(null, () => {});
  expect(checks.find(({ name }) => name === "memory keywords")).toMatchObject({ ok: true });
  await app.stop();
});
