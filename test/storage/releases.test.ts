import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { IntegrityReport } from "../../src/core/schema/integrity.ts";
import { restoreStorage } from "../../src/storage/open.ts";
import { contradictionsApi } from "../support/api/contradictions.ts";
import { memoriesApi } from "../support/api/memories.ts";
import { temporaryFolder } from "../support/app.ts";
import { openApp } from "../support/in-process.ts";

const RELEASES = join(import.meta.dir, "releases");
const root = temporaryFolder();
afterAll(root.remove);
const Named = z.array(z.looseObject({ canonical_name: z.string() }));

// Made by scripts/release-fixture.ts, one of each release.
describe.each(readdirSync(RELEASES))("the data of %s", (name) => {
  test("is opened, brought to the present shape, searched and found whole", async () => {
    const folder = join(root.path, name);
    await restoreStorage({ file: join(RELEASES, name), folder, stamp: "test", cacheDir: folder });
    const { app, client, settle } = await openApp({ folder });
    const api = { ...memoriesApi(client), ...contradictionsApi(client) };
    await settle();
    const { items } = await api.list();
    expect(items.map(({ content }) => content)).toContain("The harbour office opens at seven in the morning.");
    const [found] = (await api.search("When does the night ferry leave?")).items;
    expect(found?.content).toContain("night ferry");
    const newest = items.find(({ content }) => content.includes("Postgres 16"));
    expect((await api.contradictions(newest?.id ?? "")).contradictions).toMatchObject([{ rule: "rdf_conflict" }]);
    const entities = await client.ok(Named, "GET", "/api/v1/entities", { query: { tenant_id: "default" } });
    expect(entities.map(({ canonical_name }) => canonical_name)).toContain("Postgres");
    const documents = { query: { tenant_id: "default", collection: "runbooks" } };
    expect(JSON.stringify((await client.call("GET", "/api/v1/documents", documents)).body)).toContain("night ferry");
    const keystones = await client.call("GET", "/api/v1/keystones", { query: { tenant_id: "default" } });
    expect(JSON.stringify(keystones.body)).toContain("Ask before you delete.");
    const { checks } = await client.ok(IntegrityReport, "GET", "/api/v1/integrity");
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    await app.stop();
  });
});

test("before its shape changes, a data file is copied as it is, once", async () => {
  const folder = join(root.path, "upgraded");
  await restoreStorage({ file: join(RELEASES, "0.1.0.db.zst"), folder, stamp: "test", cacheDir: folder });
  const shape = versionOf(join(folder, "cairn.db"));
  const { app } = await openApp({ folder });
  await app.stop();
  expect(versionOf(join(folder, "cairn.db"))).toBeGreaterThan(shape);
  expect(readdirSync(join(folder, "backups"))).toEqual([`before-upgrade-from-${shape}.db`]);
  expect(versionOf(join(folder, "backups", `before-upgrade-from-${shape}.db`))).toBe(shape);
});

function versionOf(path: string): number {
  const db = new Database(path, { readonly: true });
  const { user_version } = db.query<{ user_version: number }, []>("pragma user_version").get() ?? { user_version: 0 };
  db.close();
  return user_version;
}
