import { afterAll, expect, test } from "bun:test";
import { ensureRecurring } from "../../../src/startup/background-jobs.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";

const clock = fakeClock();
const { app, client, settle } = await openApp({ clock });
await ensureRecurring(app.services);
await settle();
afterAll(() => app.stop());

const own = memoriesApi(client);
const setGrace = (days: number) =>
  client.call("PATCH", `/api/v1/settings?tenant_id=${TENANT}`, { body: { memories: { deleted_grace_days: days } } });
const kept = async () => {
  await settle();
  return (await own.list({ include_deleted: true })).items.map(({ id }) => id);
};

test("without a grace a deleted memory is erased with the next job, not when rows are looked through again", async () => {
  await setGrace(0);
  await settle();
  const { id } = await own.write();
  await own.remove(id);
  expect(await kept()).toEqual([]);
});

test("what a shorter grace leaves no time is erased with the next job", async () => {
  await setGrace(30);
  const { id } = await own.write();
  await own.remove(id);
  expect(await kept()).toEqual([id]);
  await setGrace(0);
  expect(await kept()).toEqual([]);
});
