import { expect, test } from "bun:test";
import fc from "fast-check";
import type { App } from "../../src/app.ts";
import { detectContradictions } from "../../src/conflicts/detect.ts";
import type { StoredMemory } from "../../src/core/ports/stored-memory.ts";
import { aVersion, contradictionsApi } from "../support/api/contradictions.ts";
import { fakeClock } from "../support/clock.ts";
import { openApp } from "../support/in-process.ts";

const HANG_GUARD_MS = 120_000;
const RUNS = 25;

/** A few databases whose versions come and go, some told late. */
const statement = fc.record({
  of: fc.constantFrom("staging", "billing"),
  version: fc.integer({ min: 12, max: 14 }),
  agent_id: fc.constantFrom("ada", "bob"),
  visibility: fc.constantFrom("scope_team", "scope_org", "scope_agent"),
  happened: fc.option(fc.integer({ min: 1, max: 28 })),
});
type Statement = typeof statement extends fc.Arbitrary<infer T> ? T : never;

const population = fc.array(statement, { minLength: 2, maxLength: 9 }).chain((statements) =>
  fc.record({
    statements: fc.constant(statements),
    order: fc.shuffledSubarray([...statements.keys()], { minLength: statements.length }),
  }),
);

async function allRows({ services }: App): Promise<StoredMemory[]> {
  const filter = { tenant_id: "default" };
  return services.storage.memories.list({
    filter,
    sort: "created_at",
    order: "asc",
    after: null,
    offset: 0,
    limit: 100,
  });
}

/** Writes the statements, and has the detector look at them in an order of its own; each row's status at the end. */
async function statusesAfter(statements: readonly Statement[], order: readonly number[], atOnce: boolean) {
  const clock = fakeClock();
  const { app, client } = await openApp({ clock });
  const { write } = contradictionsApi(client);
  const look = (ids: readonly string[]) =>
    detectContradictions(app.services, { tenant_id: "default", memory_ids: ids });
  const ids: string[] = [];
  for (const [i, { of, version, happened, ...fields }] of statements.entries()) {
    clock.advance(1_000);
    const day = happened === null ? null : `2026-01-${String(happened).padStart(2, "0")}`;
    const { id } = await write(`${aVersion(version, of)}${"!".repeat(i)}`, { ...fields, ts_valid_start: day });
    ids.push(id);
    if (!atOnce) await look([id]);
  }
  for (const i of order) await look([ids[i] ?? ""]);
  const statuses = (await allRows(app)).map(({ id, status }) => [ids.indexOf(id), status]);
  await app.stop();
  return statuses;
}

test(
  "in whatever order rows are looked at, and whether at once or one by one, they end with the same statuses",
  async () => {
    let demoted = 0;
    await fc.assert(
      fc.asyncProperty(population, async ({ statements, order }) => {
        const oneByOne = await statusesAfter(statements, [], false);
        expect(await statusesAfter(statements, [...statements.keys()], true)).toEqual(oneByOne);
        expect(await statusesAfter(statements, order, true)).toEqual(oneByOne);
        demoted += oneByOne.filter(([, status]) => status !== "active").length;
      }),
      { numRuns: RUNS },
    );
    expect(demoted).toBeGreaterThan(RUNS); // Else the order would not matter.
  },
  HANG_GUARD_MS,
);

test(
  "looking at rows again, for whatever reason, changes nothing",
  async () => {
    await fc.assert(
      fc.asyncProperty(population, async ({ statements, order }) => {
        const clock = fakeClock();
        const { app, client } = await openApp({ clock });
        const { write } = contradictionsApi(client);
        const ids: string[] = [];
        for (const [i, { of, version, happened: _, ...fields }] of statements.entries()) {
          clock.advance(1_000);
          ids.push((await write(`${aVersion(version, of)}${"!".repeat(i)}`, fields)).id);
        }
        await detectContradictions(app.services, { tenant_id: "default", memory_ids: ids });
        const { storage } = app.services;
        const before = [await allRows(app), await storage.audit.list({ tenant_id: "default", limit: 200 })];
        // As if the state of what was looked at were lost: the same checks, recorded once more.
        const forgetful = {
          ...storage,
          contradictions: {
            ...storage.contradictions,
            unchecked: async (_tenant: string, wanted: readonly string[]) => {
              const rows = await allRows(app);
              const asked = rows.filter(({ id }) => wanted.includes(id));
              return asked.map((memory) => ({ memory, demoted: true, is_partial: false }));
            },
          },
        };
        for (const i of order) {
          const memory_ids = [ids[i] ?? ""];
          await detectContradictions({ ...app.services, storage: forgetful }, { tenant_id: "default", memory_ids });
        }
        expect([await allRows(app), await storage.audit.list({ tenant_id: "default", limit: 200 })]).toEqual(before);
        await app.stop();
      }),
      { numRuns: RUNS },
    );
  },
  HANG_GUARD_MS,
);
