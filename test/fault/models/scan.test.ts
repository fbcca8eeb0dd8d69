import { afterAll, expect, test } from "bun:test";
import { AppError } from "../../../src/core/kernel/errors.ts";
import { enableFactory, skillsApi } from "../../support/api/skills.ts";
import { isBinary } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";
import { refusalOf } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const stops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

test.skipIf(isBinary)("a skill without a verdict of the scan is not stored", async () => {
  const silent = { scan: () => Promise.reject(new AppError("UNAVAILABLE", "No verdict.")), close: () => {} };
  const { app, client } = await openApp({ scanner: silent });
  stops.push(() => app.stop());
  await enableFactory(client);
  expect(refusalOf(await skillsApi(client).refusedWrite("sweep"))).toEqual([503, "UNAVAILABLE"]);
  const query = { tenant_id: TENANT, collection: "skills" };
  expect((await client.call("GET", "/api/v1/documents", { query })).body).toEqual([]);
});
