import type { SearchCtx } from "../core/ports/context.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import { LIVE_STATUSES } from "../core/schema/memory.ts";
import type { PossibleChange } from "../core/schema/observing/possible-change.ts";
import { PART } from "../core/schema/observing/possible-change.ts";
import { HELD_STATUSES } from "../memories/valid-at.ts";
import type { SearchPlan } from "./plan.ts";
import type { RankedHit } from "./rank.ts";

/** A row of a reply: there by its own rank, or, without one, in place of the superseded row below it. */
export interface PlacedMemory {
  readonly memory: StoredMemory;
  readonly ranked: RankedHit | null;
}

/** The rows of a reply; cut where they would be too large for one. */
export interface Placed {
  readonly returned: readonly PlacedMemory[];
  readonly isCut: boolean;
}

/** The same before the rows were read whole: the ranks of those that have one, by the ids of all, in the order of the reply. */
type Places = ReadonlyMap<string, RankedHit | null>;

/** Ids of the live rows that stand in place of superseded ones, newest first, by the id of the superseded row. */
type Successors = ReadonlyMap<string, readonly string[]>;

/**
 * The `top_k` best of the hits, best first, with every superseded row below what took its place: a conflicted row that one
 * of the others answers is left out, a successor that ranks lower moves up, and one that is not among them is put in, up to
 * as many again. A row that may hold no longer stands below what is newer, where that was found, too.
 */
export async function placeHits(
  ctx: SearchCtx,
  plan: SearchPlan,
  { hits, changed }: { readonly hits: readonly RankedHit[]; readonly changed: Changed },
): Promise<Placed> {
  const places = await findPlaces(ctx, plan, { hits, changed });
  const wanted = { ids: [...places.keys()], bytes: ctx.limits.reply_bytes_limit / plan.copies };
  // A row that was deleted since it was found has no place any more.
  const { items, more } = await ctx.storage.memories.severalWithin(plan.read_scope, wanted);
  return { returned: items.map((memory) => ({ memory, ranked: places.get(memory.id) ?? null })), isCut: more };
}

/** The hits that may be placed: as many again as are asked for. */
export const headOf = (hits: readonly RankedHit[], { top_k }: Pick<SearchPlan, "top_k">): readonly RankedHit[] =>
  hits.slice(0, 2 * top_k);

/** Newer rows by which others may hold no longer, by the ids of those. */
export type Changed = ReadonlyMap<string, readonly PossibleChange[]>;

interface Hits {
  readonly hits: readonly RankedHit[];
  readonly changed: Changed;
}

async function findPlaces(ctx: SearchCtx, plan: SearchPlan, { hits, changed }: Hits): Promise<Places> {
  const { top_k } = plan;
  const head = headOf(hits, plan);
  const stale = head.filter(isSuperseded).map(({ hit }) => hit.memory.id);
  const sure = stale.length === 0 ? new Map<string, readonly string[]>() : await findSuccessors(ctx, plan, stale);
  const top = stale.length === 0 ? head.slice(0, top_k) : withoutAnswered(head, sure, top_k);
  return placed(top, new Map([...newerFound(top, changed), ...sure]), top_k);
}

/** By which of some rows others among them may hold no longer as a whole. */
function newerFound(head: readonly RankedHit[], changed: Changed): Successors {
  const ids = new Set(head.map(({ hit }) => hit.memory.id));
  const found = Array.from(changed, ([older_id, rows]) => {
    const newer = rows.filter(({ rule, memory_id }) => rule !== PART && ids.has(memory_id));
    return [older_id, newer.map(({ memory_id }) => memory_id)] as const;
  });
  return new Map(found.filter(([older_id, newer]) => ids.has(older_id) && newer.length > 0));
}

const isSuperseded = ({ hit: { memory } }: RankedHit): boolean =>
  memory.status === "outdated" || memory.status === "conflicted";

/** What took the place of superseded rows, as far as the reader of the search sees it and it holds. */
export async function findSuccessors(
  ctx: SearchCtx,
  { read_scope, filter }: SearchPlan,
  ids: readonly string[],
): Promise<Successors> {
  const { tenant_id, unexpired_at, valid_at, valid_since } = filter;
  const found = await ctx.storage.contradictions.successors(ids, {
    tenant_id,
    read_scope,
    statuses: LIVE_STATUSES,
    unexpired_at,
    ...(valid_at === undefined ? {} : { statuses: HELD_STATUSES, valid_at, valid_since }),
  });
  const grouped = Map.groupBy(found, ({ older_id }) => older_id);
  return new Map(Array.from(grouped, ([older_id, rows]) => [older_id, rows.map(({ newer_id }) => newer_id)]));
}

/** The best hits without the conflicted ones whose successor is among them; each one left out makes room for the next. */
function withoutAnswered(head: readonly RankedHit[], successors: Successors, top_k: number): RankedHit[] {
  const left = [...head];
  for (;;) {
    const top = left.slice(0, top_k);
    const ids = new Set(top.map(({ hit }) => hit.memory.id));
    const answered = top.find(
      ({ hit: { memory } }) => memory.status === "conflicted" && successors.get(memory.id)?.some((id) => ids.has(id)),
    );
    if (!answered) return top;
    left.splice(left.indexOf(answered), 1);
  }
}

/** Each row after its successors: those that rank too, and as many others as there is room for. */
function placed(top: readonly RankedHit[], successors: Successors, top_k: number): Places {
  const ranked = new Map(top.map((hit) => [hit.hit.memory.id, hit]));
  const places = new Map<string, RankedHit | null>();
  let room = top_k;
  const seen = new Set<string>();
  /** What is newer comes first, and before it what is newer than that. */
  const place = (id: string): void => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const newer of successors.get(id) ?? []) place(newer);
    const own = ranked.get(id) ?? null;
    if (own === null && room === 0) return;
    if (own === null) room--;
    places.set(id, own);
  };
  for (const { hit } of top) place(hit.memory.id);
  return places;
}
