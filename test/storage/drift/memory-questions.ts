import * as fc from "fast-check";
import { SPACE } from "../../support/builders.ts";
import { asked } from "../subject.ts";
import { filter, memoryPage } from "./memory-filters.ts";
import { runId, visibility } from "./memory-rows.ts";
import { rowsOf } from "./memory-steps.ts";
import {
  agent,
  bytes,
  EVERY_ID,
  everything,
  fleet,
  limit,
  memoryId,
  memoryIds,
  orNull,
  readScope,
  TENANTS,
  TIMES,
  time,
  vectorAt,
} from "./pools.ts";
import type { PlainWorld, World } from "./world.ts";
import { plainStepOf, stepOf } from "./world.ts";

const list = plainStepOf("list memories", memoryPage, (world, page) => world.storage.memories.list(page));

/** Rows after some edge, which lies between those of the page whatever it is sorted by. */
const listAfter = plainStepOf(
  "list after",
  fc.record({ page: memoryPage, at: time, id: memoryId }),
  (world, { page, at, id }) => world.storage.memories.list({ ...page, after: { created_at: at, id } }),
);

/** Pages from edge to edge, of so many rows or bytes. */
const walk = stepOf("walk through memories", fc.record({ page: memoryPage, bytes }), async (world, drawn) => {
  const pages: unknown[] = [];
  const page = { ...drawn.page, sort: "created_at", offset: 0, bytes: drawn.bytes } as const;
  for (let after: typeof page.after | { created_at: string; id: string } = null, left = 40; left > 0; left--) {
    const { items, more } = await world.storage.memories.page({ ...page, after });
    pages.push([items, more]);
    after = items.at(-1) ?? null;
    if (!more || !after) break;
  }
  return pages;
});

const ids = plainStepOf("ids", fc.record({ filter, after: fc.constantFrom("", ...EVERY_ID), limit }), (world, drawn) =>
  world.storage.memories.ids(drawn.filter, drawn.after, drawn.limit),
);
const count = plainStepOf("count", filter, (world, which) => world.storage.memories.count(which));
const stats = plainStepOf("stats", filter, (world, which) => world.storage.memories.stats(which));
const stored = plainStepOf("stored", readScope, (world, scope) =>
  world.storage.memories.stored(scope.tenant_id, scope),
);
const fleets = plainStepOf("fleets", readScope, (world, scope) => world.storage.memories.fleets(scope));
const several = plainStepOf("several", fc.record({ readScope, ids: memoryIds }), (world, drawn) =>
  world.storage.memories.several(drawn.readScope, drawn.ids),
);
const severalWithin = stepOf("several within", fc.record({ readScope, ids: memoryIds, bytes }), (world, drawn) =>
  world.storage.memories.severalWithin(drawn.readScope, drawn),
);
const one = plainStepOf("get", fc.record({ readScope, id: memoryId }), async (world, drawn) => {
  const key = { tenant_id: drawn.readScope.tenant_id, id: drawn.id };
  return [
    await world.storage.memories.get(key, drawn.readScope),
    await world.storage.keptTexts.of(key, drawn.readScope),
  ];
});
const lastOfRun = plainStepOf(
  "last of run",
  fc.record({
    tenant_id: fc.constantFrom(...TENANTS),
    run_id: runId,
    agent_id: agent,
    fleet_id: orNull(fleet),
    visibility,
  }),
  async (world, owners) => {
    const [row] = await rowsOf(world, owners.tenant_id);
    return row ? world.storage.memories.lastOfRun({ ...row, ...owners }) : null;
  },
);
const waiting = plainStepOf(
  "waiting for vectors",
  fc.record({ filter, ids: memoryIds, limit }),
  async (world, drawn) => [
    await world.storage.memories.pendingIds(drawn.filter.tenant_id, drawn.ids, SPACE.id),
    await world.storage.memories.countPending(drawn.filter, drawn.limit),
  ],
);
const pictures = stepOf("pictures", fc.record({ filter, limit }), async (world, drawn) => {
  const part = { after: null, limit: drawn.limit };
  return [
    await world.storage.pictures.writtenBetween(drawn.filter, TIMES),
    await world.storage.pictures.aged(drawn.filter, part),
    await world.storage.pictures.placed(drawn.filter, { ...part, characters: 9 }),
  ];
});

/** Which rows a search finds, and by which legs; cosines are rounded, as each engine keeps vectors in its own way. */
const hits = stepOf(
  "hits",
  fc.record({
    filter,
    words: fc.uniqueArray(fc.constantFrom("heron", "reeds", "anna", "rome", "version"), { maxLength: 3 }),
    degrees: orNull(fc.constantFrom(3, 40)),
  }),
  async (world, { filter: which, words, degrees }) => {
    const values = vectorAt(degrees);
    const query = { filter: which, vector: values && asked(values), words, pool: 50, pending_most: 5 };
    const reply = await world.storage.memories.hits(query);
    const found = reply.hits.map(({ memory, vec_sim, context_sim, ...rest }) => ({
      ...rest,
      id: memory.id,
      vec_sim: vec_sim?.toFixed(2),
      context_sim: context_sim?.toFixed(2),
    }));
    found.sort((a, b) => (a.id < b.id ? -1 : 1));
    return { found, words: reply.words, pending: reply.pending };
  },
);

/** What the oracle can be asked, too. */
export const plainMemoryQuestions = fc.oneof(
  { arbitrary: list, weight: 6 },
  { arbitrary: listAfter, weight: 2 },
  ids,
  { arbitrary: count, weight: 2 },
  stats,
  stored,
  fleets,
  several,
  one,
  lastOfRun,
  waiting,
);

export const memoryQuestions = fc.oneof(
  { arbitrary: plainMemoryQuestions, weight: 15 },
  { arbitrary: walk, weight: 2 },
  severalWithin,
  pictures,
  { arbitrary: hits, weight: 2 },
);

/** All that is stored of memories, and what is counted of all tenants. */
export async function allOfMemories(world: PlainWorld): Promise<unknown> {
  const { memories, keptTexts, tellings } = world.storage;
  const tenants: unknown[] = [];
  for (const tenant_id of TENANTS) {
    const texts: unknown[] = [];
    for (const id of EVERY_ID) {
      const kept = await keptTexts.of({ tenant_id, id }, everything(tenant_id, "ada"));
      if (kept.length > 0) texts.push([id, kept]);
    }
    tenants.push(await rowsOf(world, tenant_id), texts);
    const told = await tellings.of(tenant_id, EVERY_ID);
    tenants.push(EVERY_ID.map((id) => told.get(id)));
    tenants.push(await memories.pendingIds(tenant_id, EVERY_ID, SPACE.id), await memories.stored(tenant_id));
    for (const name of ["try:0", "try:1"]) tenants.push(await memories.ofRequest(tenant_id, name));
  }
  return [
    tenants,
    await memories.counters(),
    await memories.tenants(),
    await memories.tenantsWithDeleted(),
    await keptTexts.tenants(),
  ];
}

/** All vectors, and what waits for one. */
export async function allOfVectors(world: World): Promise<unknown> {
  const { memories } = world.storage;
  const answers: unknown[] = [await memories.countAllPending()];
  for (const tenant_id of TENANTS) {
    answers.push(await memories.pending(tenant_id, EVERY_ID, SPACE.id));
    answers.push(await memories.vectorsOf(tenant_id, EVERY_ID));
    for (const id of EVERY_ID) answers.push(await memories.getVector({ tenant_id, id }));
  }
  return answers;
}
