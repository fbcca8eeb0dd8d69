import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { createEngine } from "../../../src/storage/postgres/engine/engine.ts";
import { createStatistics } from "../../../src/storage/postgres/engine/statistics.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { openPostgresApp } from "../../support/postgres/app.ts";
import { openDatabase } from "../../support/postgres/engine.ts";
import { RULES } from "../../support/postgres/processes.ts";

const ROWS = 100;

test("a table that grew is known to the planner, which no longer compares each row with each", async () => {
  const opened = await openPostgresApp();
  try {
    const api = memoriesApi(opened.client);
    await api.bulk(Array.from({ length: ROWS }, (_, i) => ({ content: `The lamp of buoy ${i} was changed.` })));
    await opened.settle();
    const [known] = await opened.rows<{ rows: number }>(
      "select reltuples::float8 as rows from pg_class where oid = 'memories'::regclass",
    );
    expect(known?.rows).toBeGreaterThan(0);
    const plan = await opened.rows<{ "QUERY PLAN": string }>(
      `explain analyze select count(*) from memory_words w
        join memories m on m.tenant_id = w.tenant_id and m.seq = w.seq
        where w.tenant_id = 'default' and m.deleted_at is null`,
    );
    const most = Math.max(...plan.map((line) => Number(/rows=(\d+)\S* loops/.exec(line["QUERY PLAN"])?.[1] ?? 0)));
    const removed = plan.filter((line) => line["QUERY PLAN"].includes("Removed by Join Filter"));
    // A bitmap of an index counts row versions that are dead by now, too; each row with each would be ROWS times as many.
    expect(most).toBeGreaterThanOrEqual(ROWS);
    expect(most).toBeLessThan(ROWS * 5);
    expect(removed).toEqual([]);
  } finally {
    await opened.app.stop();
  }
});

test("what was rolled back counts as nothing", async () => {
  const driver = await openDatabase();
  try {
    const told: number[] = [];
    const engine = createEngine(driver, RULES, (rows) => told.push(rows));
    const write = (isKept: boolean) =>
      engine.write("default", async (work) => {
        await work.run(
          sql`insert into org_settings (tenant_id, tree) select n::text, '{}' from generate_series(1, 3) n`,
        );
        if (!isKept) throw new Error("No.");
      });
    await write(false).catch(() => {});
    await write(true);
    expect(told).toEqual([3]);
  } finally {
    await driver.close();
  }
});

test("a database that cannot be asked fails nothing", async () => {
  const driver = await openDatabase();
  await driver.close();
  const statistics = createStatistics(driver.db);
  statistics.changed(1_000_000);
  expect(await statistics.close()).toBeUndefined();
});
