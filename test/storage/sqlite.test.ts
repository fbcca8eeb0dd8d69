import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../src/core/kernel/clock.ts";
import { silentLogger } from "../../src/core/kernel/log.ts";
import { searchableText } from "../../src/documents/searchable.ts";
import { storagePolicies } from "../../src/startup/storage-policies.ts";
import { openSqlite } from "../../src/storage/sqlite/open.ts";
import { temporaryFolder } from "../support/app.ts";
import { ACTOR, aBatch, anEntry, aRow, aVector, SPACE, TENANT } from "../support/builders.ts";
import { fakeClock } from "../support/clock.ts";
import { ANYBODY, asked, hitIds } from "./subject.ts";

const root = temporaryFolder();
afterAll(() => root.remove());
let folders = 0;
const aFolder = (): string => join(root.path, `folder-${++folders}`);
const openIn = (folder: string | null, clock: Clock = fakeClock()) =>
  openSqlite({
    folder,
    clock,
    log: silentLogger,
    space: SPACE,
    textOf: searchableText,
    policies: storagePolicies,
    cacheDir: tmpdir(),
  });

describe("a data folder", () => {
  test("is found again whole after a close: rows, words, vectors, counts, jobs, audit", async () => {
    const folder = aFolder();
    const row = aRow({ content: "The kingfisher dives.", metadata: { a: [1] } });
    const gone = aRow({ content: "The kingfisher that left." });
    const first = openIn(folder);
    const job = { kind: "embed_memories" as const, payload: { tenant_id: TENANT, memory_ids: [row.id] } };
    await first.memories.insert(
      aBatch([anEntry(row, aVector(3)), anEntry(gone, aVector(3))], { jobsFor: () => [job] }),
    );
    await first.memories.remove({ tenant_id: TENANT, ids: [gone.id] }, ACTOR, 1);
    await first.close();

    const second = openIn(folder);
    const { memories, jobs, audit } = second;
    const query = { filter: { tenant_id: TENANT }, pool: 10 };
    expect(hitIds(await memories.hits({ ...query, words: ["kingfisher"], vector: null }))).toEqual([row.id]);
    const reply = await memories.hits({ ...query, words: [], vector: asked(aVector(3)) });
    expect(hitIds(reply)).toEqual([row.id]);
    expect(await memories.several(ANYBODY, [row.id])).toEqual([{ ...row, embedded_by: SPACE.id }]);
    expect(await memories.stored(TENANT)).toBe(1);
    expect(await jobs.claim(fakeClock().now(), 1)).toMatchObject({ job });
    expect(await audit.list({ tenant_id: TENANT, limit: 10 })).toHaveLength(3);
    await second.close();
  });

  test("has one owner: a second opener is refused with what to do, until the first closes", async () => {
    const folder = aFolder();
    const owner = openIn(folder);
    expect(() => openIn(folder)).toThrow(`Another Cairn is already using ${folder}`);
    expect(() => openIn(folder)).toThrow(expect.objectContaining({ code: "UNAVAILABLE" }));
    await owner.memories.insert(aBatch([anEntry(aRow())]));
    await owner.close();
    const next = openIn(folder);
    expect(await next.memories.stored(TENANT)).toBe(1);
    await next.close();
  });

  test("is refused to a second process as well", async () => {
    const folder = aFolder();
    const owner = openIn(folder);
    const program = `
      import { openSqlite } from "./src/storage/sqlite/open.ts";
      const space = { id: "x", dimensions: 64, center: new Float32Array(64) };
      try { openSqlite({ folder: process.argv[1], clock: { now: () => 0 }, log: { warn() {} }, space, cacheDir: "/tmp" }); console.log("opened"); }
      catch (error) { console.log(error.code); }`;
    const child = Bun.spawn([process.execPath, "--eval", program, folder], { stdout: "pipe", stderr: "inherit" });
    expect((await new Response(child.stdout).text()).trim()).toBe("UNAVAILABLE");
    await owner.close();
  });

  test("of a newer Cairn is refused and left as it is", async () => {
    const folder = aFolder();
    await openIn(folder).close();
    const file = new Database(join(folder, "cairn.db"));
    file.exec("pragma user_version = 9999");
    file.close();
    expect(() => openIn(folder)).toThrow(/newer Cairn \(0.1.0, shape 9999; this one, 0.1.0, knows/);
    const after = new Database(join(folder, "cairn.db"), { readonly: true });
    expect(after.query("pragma user_version").get()).toEqual({ user_version: 9999 });
    after.close();
  });

  test("refused for its shape is not locked by the refusal", async () => {
    const folder = aFolder();
    await openIn(folder).close();
    const file = new Database(join(folder, "cairn.db"));
    const { user_version } = file.query<{ user_version: number }, []>("pragma user_version").get() ?? {
      user_version: 0,
    };
    file.exec("pragma user_version = 9999");
    expect(() => openIn(folder)).toThrow(/newer/);
    file.exec(`pragma user_version = ${user_version}`);
    file.close();
    await openIn(folder).close();
  });

  test("that holds something else is refused in words", async () => {
    const folder = aFolder();
    await Bun.write(join(folder, "cairn.db"), "This is no database, but long enough to be taken for one. ".repeat(20));
    expect(() => openIn(folder)).toThrow(/not a Cairn database/);
  });

  test("keeps nothing of a removed row's words and vector in its indexes", async () => {
    const folder = aFolder();
    const storage = openIn(folder);
    const row = aRow({ content: "The unmistakable capercaillie." });
    await storage.memories.insert(aBatch([anEntry(row, aVector(3))]));
    const terms = () => {
      const file = new Database(join(folder, "cairn.db"), { readonly: true });
      const found = file.query("select term from memory_terms where term like 'capercail%'").all();
      file.close();
      return found;
    };
    expect(terms()).toHaveLength(1);
    await storage.memories.remove({ tenant_id: TENANT, ids: [row.id] }, ACTOR, 1);
    expect(terms()).toEqual([]);
    await storage.close();
  });
});
