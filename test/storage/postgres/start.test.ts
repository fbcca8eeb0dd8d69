import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { statementsOf } from "../../../src/storage/postgres/engine/statements.ts";
import { MIGRATIONS } from "../../../src/storage/postgres/migrations/all.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { openApp } from "../../support/in-process.ts";
import { sharedDatabase } from "../../support/postgres/engine.ts";

const PROCESSES = 10;

test("of ten processes that start at once over an empty database, one makes the tables, and all serve", async () => {
  const openDriver = await sharedDatabase({ hasTables: false });
  const owner = await openDriver();
  const started = await Promise.all(
    Array.from({ length: PROCESSES }, () =>
      openApp({
        folder: "/dev/null/cairn",
        flags: ["--database-url=postgres://of.a.test/cairn"],
        openDatabase: openDriver,
      }),
    ),
  );
  const apis = started.map(({ client }) => memoriesApi(client));
  await Promise.all(apis.map(({ write }, i) => write({ content: `Process ${i} keeps the lamp of pier ${i} lit.` })));
  expect(await Promise.all(apis.map(({ count }) => count()))).toEqual(apis.map(() => PROCESSES));
  expect(await statementsOf(owner.db).rows(sql`select shape from releases`)).toEqual([{ shape: MIGRATIONS.length }]);
  for (const { app } of started) await app.stop();
  await owner.close();
});

test("what rows leave as they are read anew is taken up soon, in the tables of vectors and beside them", async () => {
  const owner = await (await sharedDatabase())();
  const found = await statementsOf(owner.db).rows<{ relname: string }>(sql`
    select c.relname from pg_class c left join pg_class t on t.oid = c.reltoastrelid
    where c.relkind = 'r' and 'autovacuum_vacuum_scale_factor=0.02' = any(c.reloptions)
      and (t.oid is null or 'autovacuum_vacuum_scale_factor=0.02' = any(t.reloptions)) order by c.relname`);
  const sides = ["", "b_"].flatMap((side) => [`${side}memory_codes`, `${side}memory_vectors`]);
  expect(found.map(({ relname }) => relname).sort()).toEqual(sides.sort());
  await owner.close();
});
