import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { memoryWhere } from "../../../src/storage/memories/filters.ts";
import { postgresDialect } from "../../../src/storage/postgres/units/dialect.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { TENANT } from "../../support/builders.ts";
import { openPostgresApp } from "../../support/postgres/app.ts";

test("what happened in a stretch of time is looked up in order of when it happened", async () => {
  const opened = await openPostgresApp();
  try {
    await memoriesApi(opened.client).write({ content: "The lamp of the buoy was changed." });
    await opened.rows("set enable_seqscan = off");
    const happened = { from: "2026-03-01T00:00:00.000Z", until: "2026-03-31T23:59:59.999Z" };
    const where = memoryWhere(postgresDialect, { tenant_id: TENANT, include_deleted: true, happened });
    const { sql: text, params } = new PgDialect().sqlToQuery(sql`explain select id from memories where ${where}`);
    const written = params.reduce<string>((said, value, i) => said.replace(`$${i + 1}`, `'${value}'`), text);
    const plan = (await opened.rows<{ "QUERY PLAN": string }>(written)).map((line) => line["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/memories_by_happening[\s\S]*Index Cond: .*>= .*<= /);
  } finally {
    await opened.app.stop();
  }
});
