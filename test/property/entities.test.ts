import { expect, test } from "bun:test";
import fc from "fast-check";
import { BulkResult, Memory, MemoryDetail } from "../../src/core/schema/memory.ts";
import { linkEntities } from "../../src/entities/link.ts";
import { MEMORIES } from "../support/api/memories.ts";
import { TENANT } from "../support/builders.ts";
import type { InProcess } from "../support/in-process.ts";
import { openApp } from "../support/in-process.ts";

const RUNS = 25;
const HANG_GUARD_MS = 120_000;

/** Names that mean one another, may be none, or are known by another name. */
const NAMES = [
  "we asked Anna Keller",
  "we asked Anna Weber",
  "Anna agreed",
  "the Site Reliability Engineering (SRE) team came",
  "we called SRE",
  "Nightjar is slow",
  "we restarted Nightjar",
  "nothing happened in Rome",
  "see PR #12 on db-1.prod.internal",
];
const text = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}.`).join(" "));
const others = fc.uniqueArray(text, { minLength: 1, maxLength: 5 });

const numbered = (content: string, i: number): string => `${content} (${i})`;

async function store({ client, settle }: InProcess, contents: readonly string[]): Promise<string[]> {
  const body = { tenant_id: TENANT, items: contents.map((content) => ({ content })) };
  const { results } = await client.ok(BulkResult, "POST", `${MEMORIES}/bulk`, { body });
  await settle();
  return results.map(({ id }) => id ?? "");
}

/** What each memory is linked to, by name, kind and role. */
const linksOf = ({ client }: InProcess, ids: readonly string[]) =>
  Promise.all(
    ids.map(async (id) => {
      const query = { tenant_id: TENANT };
      const { entity_links } = await client.ok(MemoryDetail, "GET", `${MEMORIES}/${id}`, { query });
      return entity_links.map((link) => `${link.role} ${link.canonical_name} (${link.entity_type})`);
    }),
  );

async function withApp<T>(act: (app: InProcess) => Promise<T>): Promise<T> {
  const app = await openApp();
  try {
    return await act(app);
  } finally {
    await app.app.stop();
  }
}

test(
  "linking memories again, together or in any order, changes nothing",
  () =>
    fc.assert(
      fc.asyncProperty(others, fc.integer({ min: 0, max: 99 }), (contents, turn) =>
        withApp(async (app) => {
          const ids = await store(app, contents.map(numbered));
          const before = await linksOf(app, ids);
          const again = ids.map((_, i) => ids[(i + turn) % ids.length] ?? "");
          await linkEntities(app.app.services, { tenant_id: TENANT, memory_ids: again });
          await app.settle();
          expect(await linksOf(app, ids)).toEqual(before);
        }),
      ),
      { numRuns: RUNS },
    ),
  HANG_GUARD_MS,
);

test(
  "a text has the same links however often it was changed before",
  () =>
    fc.assert(
      fc.asyncProperty(others, fc.array(text, { minLength: 1, maxLength: 4 }), (contents, texts) =>
        withApp(async (changed) => {
          const rest = contents.map(numbered);
          const drafts = texts.map((content) => `${content} (the last)`);
          const final = drafts.at(-1) ?? "";
          const ids = await store(changed, rest);
          const query = { tenant_id: TENANT };
          const [id = ""] = await store(changed, [drafts[0] ?? ""]);
          for (const content of drafts.slice(1)) {
            await changed.client.ok(Memory, "PATCH", `${MEMORIES}/${id}`, { query, body: { content } });
            await changed.settle();
          }
          await withApp(async (direct) => {
            const expected = [...(await store(direct, rest)), ...(await store(direct, [final]))];
            expect(await linksOf(changed, [...ids, id])).toEqual(await linksOf(direct, expected));
          });
        }),
      ),
      { numRuns: RUNS },
    ),
  HANG_GUARD_MS,
);
