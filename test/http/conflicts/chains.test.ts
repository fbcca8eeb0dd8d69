import { afterAll, expect, test } from "bun:test";
import { aVersion, contradictionsApi } from "../../support/api/contradictions.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";

const DAY_MS = 86_400_000;
const clock = fakeClock();
const { app, client, settle } = await openApp({ clock });
afterAll(() => app.stop());
const api = { ...memoriesApi(client), ...contradictionsApi(client) };

let fleets = 0;
const aFleet = (): { fleet_id: string } => ({ fleet_id: `chain-${++fleets}` });

async function told(content: string, fields: Readonly<Record<string, unknown>>) {
  clock.advance(2 * DAY_MS);
  const row = await api.write(content, fields);
  await settle();
  return row;
}
const statusesOf = async (rows: readonly { readonly id: string }[]): Promise<string[]> =>
  Promise.all(rows.map(async ({ id }) => (await api.get(id)).status));

test("a value that comes back is a third statement: it is current, and both before it are history", async () => {
  const fleet = aFleet();
  const first = await told(aVersion(14), fleet);
  const second = await told(aVersion(16), fleet);
  const third = await told(aVersion(14), fleet);
  expect(third.id).not.toBe(first.id);
  expect(await statusesOf([first, second, third])).toEqual(["outdated", "outdated", "active"]);
  const [now, before] = [await api.get(third.id), await api.get(second.id)];
  expect([now.supersedes_id, before.supersedes_id]).toEqual([second.id, first.id]);
});

test.each([[[0, 1, 2]], [[0, 2, 1]], [[1, 0, 2]], [[1, 2, 0]], [[2, 0, 1]], [[2, 1, 0]]])(
  "three values with the times they hold from end the same when they arrive as %j",
  async (order) => {
    const fleet = aFleet();
    const times = ["2026-01-10T00:00:00Z", "2026-02-10T00:00:00Z", "2026-03-10T00:00:00Z"];
    const ids: string[] = [];
    for (const place of order) {
      const row = await told(aVersion(14 + place), { ...fleet, ts_valid_start: times[place] });
      ids[place] = row.id;
    }
    const rows = ids.map((id) => ({ id }));
    expect(await statusesOf(rows)).toEqual(["outdated", "outdated", "active"]);
  },
);

test("a newer statement that is withdrawn gives its place back to the one before", async () => {
  const fleet = aFleet();
  const first = await told(aVersion(14), fleet);
  const second = await told(aVersion(16), fleet);
  const third = await told(aVersion(17), fleet);
  await api.setStatus(third.id, "cancelled");
  await settle();
  expect(await statusesOf([first, second])).toEqual(["outdated", "active"]);
});
