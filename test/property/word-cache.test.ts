import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import fc from "fast-check";
import { silentLogger } from "../../src/core/kernel/log.ts";
import type { SearchStorage } from "../../src/core/ports/context.ts";
import { searchableText } from "../../src/documents/searchable.ts";
import { storagePolicies } from "../../src/startup/storage-policies.ts";
import { openSqlite } from "../../src/storage/sqlite/open.ts";
import { openSqliteReader } from "../../src/storage/sqlite/open-reader.ts";
import { temporaryFolder } from "../support/app.ts";
import { ACTOR, aBatch, anEntry, aRow, aVector, SPACE, TENANT } from "../support/builders.ts";
import { fakeClock } from "../support/clock.ts";

const WORDS = ["heron", "bittern", "egret", "ibis", "stork"];
const someWords = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 });
const anAct = fc.oneof(
  fc.record({ act: fc.constant("write" as const), words: someWords, visible: fc.boolean(), nth: fc.nat(20) }),
  fc.record({ act: fc.constant("rewrite" as const), words: someWords, visible: fc.boolean(), nth: fc.nat(20) }),
  fc.record({ act: fc.constant("delete" as const), words: someWords, visible: fc.boolean(), nth: fc.nat(20) }),
);

test("what a reader remembers of words is what it would look up, whatever is written meanwhile", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anAct, { minLength: 4, maxLength: 24 }), async (acts) => {
      const folder = temporaryFolder();
      const clock = fakeClock();
      const storage = openSqlite({
        folder: folder.path,
        clock,
        log: silentLogger,
        space: SPACE,
        textOf: searchableText,
        policies: storagePolicies,
        search_threads: 2,
        cacheDir: tmpdir(),
      });
      const reader = (thread: number): SearchStorage =>
        openSqliteReader({
          ticket: storage.readerTicket(thread) ?? expect.unreachable(),
          clock,
          policies: storagePolicies,
        });
      const found = async (from: SearchStorage) => {
        const filter = { tenant_id: TENANT, read_scope: { tenant_id: TENANT, agent_id: null, fleets: "all" as const } };
        const { hits, words } = await from.memories.hits({ filter, vector: null, words: WORDS, pool: 50 });
        const rows = hits.map(({ memory, own_words, near_words }) => ({ id: memory.id, own_words, near_words }));
        return { rows: rows.sort((a, b) => a.id.localeCompare(b.id)), words };
      };
      const remembering = reader(0);
      const ids: string[] = [];
      for (const [i, { act, words, visible, nth }] of acts.entries()) {
        const content = `Row ${i} has seen ${words.join(" and ")}.`;
        const visibility = visible ? ("scope_org" as const) : ("scope_agent" as const);
        const id = ids[nth % Math.max(1, ids.length)];
        if (act === "write" || id === undefined) {
          const row = aRow({ content, visibility, content_hash: content });
          await storage.memories.insert(aBatch([anEntry(row, aVector(i))]));
          ids.push(row.id);
        } else if (act === "rewrite")
          await storage.memories.update({ tenant_id: TENANT, ids: [id] }, ACTOR, () => ({
            action: "memory.update",
            patch: { content, content_hash: content, visibility },
          }));
        else await storage.memories.remove({ tenant_id: TENANT, ids: [id] }, ACTOR, 1);
        expect(await found(remembering)).toEqual(await found(reader(1)));
      }
      await storage.close();
      folder.remove();
    }),
    { numRuns: 15 },
  );
});
