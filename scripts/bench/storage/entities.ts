import { parseArgs } from "node:util";
import { STANDALONE_TENANT } from "../../../src/access/resolve.ts";
import type { Ctx } from "../../../src/core/ports/context.ts";
import type { EntityStore, MemoryNames, NamedThing } from "../../../src/core/ports/entity-store.ts";
import { nameKey } from "../../../src/text/names/name-key.ts";
import { ctxOf, openApp } from "../folder.ts";
import { createDice } from "../text.ts";

// Usage: bun scripts/bench/storage/entities.ts FOLDER|postgres://... [--link] [--rounds 5]
//
// What the entity store takes, in milliseconds at the median, over a folder or a database that scripts/bench/fill.ts has filled
// (--embedder hash). With --link its rows are first linked to made-up names, three each, some of which most rows name. Prints
// JSON. To compare two checkouts, run this script of both in turns, each over a copy of the same folder.

const NAMES = 20_000;
const NAMES_PER_ROW = 3;
const LINKED_AT_ONCE = 100;
/** Few names stand in many rows: the number of a name is drawn as a power of an even draw. */
const SKEW = 4;
const ROWS_PER_PAGE = 1_000;
const TIMES = 40;
const READER = { tenant_id: STANDALONE_TENANT, agent_id: null, fleets: "all" } as const;
const NO_BOUND = 10_000_000;

function thing(number: number): NamedThing {
  const name = `Person${number} Harbour${number % 97}`;
  return {
    name,
    key: nameKey(name),
    entity_type: "person",
    role: "mentioned",
    sure: true,
    short_key: null,
    alike_key: null,
  };
}

interface Row {
  readonly id: string;
  readonly content_hash: string;
}

async function* pages({ storage }: Ctx): AsyncGenerator<Row[]> {
  for (let offset = 0; ; offset += ROWS_PER_PAGE) {
    const items = await storage.memories.list({
      filter: { tenant_id: STANDALONE_TENANT },
      sort: "created_at",
      order: "asc",
      after: null,
      offset,
      limit: ROWS_PER_PAGE,
    });
    if (items.length === 0) return;
    yield items.map(({ id, content_hash }) => ({ id, content_hash }));
  }
}

async function linkAll(ctx: Ctx): Promise<void> {
  const dice = createDice(1);
  for await (const rows of pages(ctx)) {
    for (let i = 0; i < rows.length; i += LINKED_AT_ONCE) {
      const some = rows.slice(i, i + LINKED_AT_ONCE).map((row) => namesOf(row, () => dice()));
      await ctx.storage.entities.link(STANDALONE_TENANT, some);
    }
  }
}

const namesOf = ({ id, content_hash }: Row, draw: () => number): MemoryNames => ({
  id,
  content_hash,
  things: Array.from({ length: NAMES_PER_ROW }, () => thing(Math.floor(NAMES * draw() ** SKEW))),
  same: [],
});

/** Milliseconds of each call at the median of all rounds, in turns. */
async function measured(ctx: Ctx, rounds: number): Promise<Record<string, number>> {
  const { entities } = ctx.storage;
  const known = await entities.list({ read_scope: READER, offset: 0, limit: 50, bytes: NO_BOUND });
  const ids = known.items.map(({ id }) => id);
  const { value: first = [] } = await pages(ctx).next();
  const took = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [what, act] of Object.entries(calls(entities, ids, first))) {
      for (let i = 0; i < TIMES; i++) {
        const began = performance.now();
        await act(round * TIMES + i);
        took.set(what, [...(took.get(what) ?? []), performance.now() - began]);
      }
    }
  }
  return Object.fromEntries([...took].map(([what, times]) => [what, median(times)]));
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Calls of each kind; the number says which of the entities or rows they are about. */
function calls(entities: EntityStore, ids: readonly string[], rows: readonly Row[]) {
  const id = (i: number) => ids[i % ids.length] ?? "";
  const key = (i: number) => thing((i * 37) % NAMES).key;
  const owners = { tenant_id: STANDALONE_TENANT, visibility: "scope_team", fleet_id: null, agent_id: "x" } as const;
  return {
    get: (i: number) => entities.get({ tenant_id: STANDALONE_TENANT, id: id(i) }, READER),
    describe: (i: number) => entities.describe(READER, { ids: ids.slice(i % 20, (i % 20) + 20), bytes: NO_BOUND }),
    "match of 4 keys": (i: number) =>
      entities.match(
        READER,
        [0, 1, 2, 3].map((n) => key(i * 4 + n)),
        16,
      ),
    "match of 4 frequent": (i: number) =>
      entities.match(
        READER,
        [0, 1, 2, 3].map((n) => thing((i + n) % 50).key),
        16,
      ),
    neighbours: (i: number) =>
      entities.neighbours(
        owners,
        [0, 1, 2].map((n) => ({ key: `person${i}q${n}`, parts: [key(i)] })),
      ),
    "list of 20": (i: number) => entities.list({ read_scope: READER, offset: i, limit: 20, bytes: NO_BOUND }),
    "graph of 50": (i: number) => entities.graph({ read_scope: READER, offset: i, limit: 50, bytes: NO_BOUND }),
    "around, 2 hops": (i: number) =>
      entities.around({ tenant_id: STANDALONE_TENANT, id: id(i) }, READER, { hops: 2, limit: 100, bytes: NO_BOUND }),
    "link of 1 row": (i: number) => entities.link(STANDALONE_TENANT, [named(rows[i % rows.length], i)]),
    "link of 20 rows": (i: number) =>
      entities.link(
        STANDALONE_TENANT,
        Array.from({ length: 20 }, (_, n) => named(rows[(i * 20 + n) % rows.length], i + n)),
      ),
  };
}

function named(row: Row | undefined, i: number): MemoryNames {
  if (!row) throw new Error("There are no rows.");
  const draws = [0.2, 0.5, 0.9].map((draw) => (draw + i / 97) % 1);
  let next = 0;
  return namesOf(row, () => draws[next++ % draws.length] ?? 0);
}

const { values, positionals } = parseArgs({
  options: { link: { type: "boolean", default: false }, rounds: { type: "string", default: "5" } },
  allowPositionals: true,
});
const [place] = positionals;
if (place === undefined) throw new Error("Name a folder or a database.");
const isAddress = place.includes("://");
const app = await openApp(isAddress ? null : place, {}, [
  "--embedder=hash",
  ...(isAddress ? [`--database-url=${place}`] : []),
]);
try {
  const ctx = await ctxOf(app);
  if (values.link) await linkAll(ctx);
  console.log(JSON.stringify(await measured(ctx, Number(values.rounds))));
} finally {
  await app.stop();
}
