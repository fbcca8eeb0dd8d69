import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { CandidateQuery, ConflictCandidate } from "../../core/ports/contradiction-store.ts";
import type { MemoryFilter } from "../../core/ports/memory-filter.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import type { ReadMemory } from "../memories/rows.ts";
import { MEMORY_COLUMNS, toMemory } from "../memories/rows.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { Work } from "../units/work.ts";
import type { Rows } from "./stated.ts";
import { among, BY_CLAIM_MAX, claiming, LOOKED_THROUGH_MAX } from "./stated.ts";

/** Candidates of one row in all: which of them are worth comparing is decided by whoever asks. */
const CANDIDATES_MAX = 64;
/** Rows that the words, the entities, and the vectors may contribute. */
const BY_WORDS_MAX = 24;
const BY_ENTITY_MAX = 8;
const BY_VECTOR_MAX = 32;
/** Rows with the most words in common that are looked through for those. */
const WORDED_MAX = 96;
/** Nearest codes that are looked through for those: some belong to rows that are no candidates. */
const CODES_MAX = 96;
/** A word in more rows than this tells too little of what a row is about: its rows are not looked through. */
export const WORD_ROWS_MAX = 512;
/** Entities of a row by which others are looked for. */
const ENTITIES_MAX = 16;

/** How an engine finds the rows of a filter that are near to one. */
export interface Nearby {
  /** By its vectors of an embedder; null where it has none. */
  meaning(filter: MemoryFilter, seq: number, embedder_id: string): Unit<NearMeaning | null>;
  /** By the words of its text: those in too many rows tell nothing. */
  words(filter: MemoryFilter, text: string): Unit<SharedWords>;
}

export interface NearMeaning {
  /** The numbers of the rows with the nearest codes, nearest first. */
  nearest(count: number): Unit<number[]>;
  /** How near rows are, -1 to 1, by their exact vectors; those without are left out. */
  closeness(seqs: readonly number[]): Unit<ReadonlyMap<number, number>>;
}

export interface SharedWords {
  /** The numbers of the rows that share most, most first; newer ones first among equals. */
  most(count: number): Unit<number[]>;
  /** How much of the words rows share, 0 to 1: the weight of those, in that of all. */
  shares(seqs: readonly number[]): Unit<ReadonlyMap<number, number>>;
}

/** Finds the rows that a row may contradict, by claim, vector, words and entity; each leg bounded. */
export function* findCandidates(work: Work, nearby: Nearby, query: CandidateQuery): Unit<ConflictCandidate[]> {
  const { memory, embedder_id } = query;
  const asked = yield* row<{ seq: number }>(sql`select seq from memories
    where ${work.dialect.belongs("memories", memory.tenant_id)} and id = ${memory.id}`);
  if (!asked) return [];
  const filter = readersOf(memory);
  if (query.among) return yield* amongNamed(work, nearby, { query, seq: asked.seq, filter });
  const meaning = yield* nearby.meaning(filter, asked.seq, embedder_id);
  const words = yield* nearby.words(filter, memory.content);
  const near = meaning ? yield* meaning.nearest(CODES_MAX) : [];
  const worded = yield* words.most(WORDED_MAX);
  const ids = query.unrecorded.flatMap(({ id, shares_claim }) => (shares_claim ? id : []));
  const unrecorded = (yield* candidatesAmong(work, query, listed(work, sql`memories.id`, ids))).toReversed();
  const claimed = query.claim ? yield* candidatesAmong(work, query, claiming(memory, query.claim)) : [];
  const found = listed(work, sql`memories.seq`, [...near, ...worded]);
  const isCandidate = new Set(yield* candidatesAmong(work, query, found));
  const nearing = near.filter((seq) => isCandidate.has(seq));
  const sharing = worded.filter((seq) => isCandidate.has(seq)).slice(0, BY_WORDS_MAX);
  const stating = [...unrecorded, ...claimed.slice(0, BY_CLAIM_MAX)];
  const linked = yield* byEntities(work, query, asked.seq);
  const all = [...new Set([...stating, ...nearing, ...sharing, ...linked])];
  const closeness = meaning ? yield* meaning.closeness(all) : new Map<number, number>();
  const legs = [...stating, ...nearestOf(nearing, closeness), ...sharing, ...linked];
  const seqs = [...new Set(legs)].slice(0, CANDIDATES_MAX);
  return yield* withNearness(work, { tenant_id: memory.tenant_id, seqs }, { words, closeness });
}

/** Rows with how near they are to the one asked for. */
function* withNearness(
  work: Work,
  { tenant_id, seqs }: { readonly tenant_id: string; readonly seqs: readonly number[] },
  { words, closeness }: { readonly words: SharedWords; readonly closeness: ReadonlyMap<number, number> },
): Unit<ConflictCandidate[]> {
  const shares = yield* words.shares(seqs);
  const loaded = yield* load(work, tenant_id, seqs);
  return loaded.map(({ seq, ...candidate }) => ({
    memory: candidate,
    closeness: closeness.get(seq) ?? null,
    shared_words: shares.get(seq) ?? 0,
  }));
}

interface Asked {
  readonly query: CandidateQuery;
  readonly seq: number;
  readonly filter: MemoryFilter;
}

/** How near rows are that are named, whatever their status. */
function* amongNamed(work: Work, nearby: Nearby, { query, seq, filter }: Asked): Unit<ConflictCandidate[]> {
  const { memory, embedder_id, among = [] } = query;
  const meaning = yield* nearby.meaning(filter, seq, embedder_id);
  const words = yield* nearby.words(filter, memory.content);
  const named = yield* rows<{ seq: number }>(sql`select seq from memories
    where ${work.dialect.belongs("memories", memory.tenant_id)} and ${work.dialect.isIn(sql`id`, among)}
      and deleted_at is null order by seq`);
  const seqs = named.map((one) => one.seq);
  const closeness = meaning ? yield* meaning.closeness(seqs) : new Map<number, number>();
  return yield* withNearness(work, { tenant_id: memory.tenant_id, seqs }, { words, closeness });
}

/** What the coarse indexes can tell of a candidate's readers: a private row's are its own agent's rows. */
function readersOf({ tenant_id, agent_id, fleet_id, visibility }: StoredMemory): MemoryFilter {
  const isPrivate = visibility === "scope_agent";
  return {
    tenant_id,
    read_scope: { tenant_id, agent_id, fleets: fleet_id === null ? [] : [fleet_id] },
    ...(fleet_id === null ? {} : { fleets: { ids: [fleet_id], orShared: false } }),
    ...(isPrivate ? { written_by: agent_id } : {}),
  };
}

/** Null for none. */
const listed = ({ dialect }: Work, column: SQL, values: readonly string[] | readonly number[]): Rows | null =>
  values.length === 0 ? null : { from: sql`memories`, which: dialect.isIn(column, values) };

/** Numbers of those rows that are candidates, newest first: they were checked as they are, or count as such. */
function* candidatesAmong(work: Work, query: CandidateQuery, some: Rows | null): Unit<number[]> {
  if (some === null) return [];
  const found = yield* rows<{ seq: number }>(
    sql`select memories.seq ${checkedAmong(work, query, some)} order by memories.seq desc`,
  );
  return found.map(({ seq }) => seq);
}

const checkedAmong = (work: Work, query: CandidateQuery, some: Rows): SQL =>
  sql`${among(work, some, query)} and (checked.content_hash = memories.content_hash or ${work.dialect.isIn(
    sql`memories.id`,
    query.unrecorded.map(({ id }) => id),
  )})`;

/** Those of some rows with the nearest vectors, nearest first. */
const nearestOf = (seqs: readonly number[], closeness: ReadonlyMap<number, number>): number[] =>
  seqs
    .flatMap((seq) => {
      const near = closeness.get(seq);
      return near === undefined ? [] : [{ seq, near }];
    })
    .sort((a, b) => b.near - a.near || b.seq - a.seq)
    .slice(0, BY_VECTOR_MAX)
    .map(({ seq }) => seq);

/** Rows that name the same entities; the rarer the entities they share, the sooner. */
function* byEntities(work: Work, query: CandidateQuery, seq: number): Unit<number[]> {
  const { dialect } = work;
  const links = dialect.tenant("memory_entities", query.memory.tenant_id);
  const own = yield* rows<{ entity_seq: number }>(sql`select distinct entity_seq from memory_entities
    where ${links} and memory_seq = ${seq} order by entity_seq limit ${int(ENTITIES_MAX)}`);
  const named = yield* dialect.each<{ seq: number }>(own, { entity_seq: "int" }, (entity) => {
    const newest = sql`select memory_seq from memory_entities where ${links} and entity_seq = ${entity.of("entity_seq")}
      order by memory_seq desc limit ${int(LOOKED_THROUGH_MAX)}`;
    const some = { from: sql`(${newest}) named cross join memories`, which: sql`memories.seq = named.memory_seq` };
    return sql`select memories.seq ${checkedAmong(work, query, some)}`;
  });
  const weights = new Map<number, number>();
  for (const group of Map.groupBy(named, ({ place }) => place).values())
    for (const one of group) weights.set(one.seq, (weights.get(one.seq) ?? 0) + 1 / group.length);
  return [...weights]
    .sort(([a, weightA], [b, weightB]) => weightB - weightA || b - a)
    .slice(0, BY_ENTITY_MAX)
    .map(([number]) => number);
}

/** The rows of some numbers, in their order. */
function* load({ dialect }: Work, tenant_id: string, seqs: readonly number[]) {
  if (seqs.length === 0) return [];
  const found = yield* rows<
    ReadMemory & { readonly seq: number }
  >(sql`select ${MEMORY_COLUMNS}, memories.seq from memories
    where ${dialect.belongs("memories", tenant_id)} and ${dialect.isIn(sql`memories.seq`, seqs)}`);
  const byNumber = new Map(found.map((one) => [one.seq, one]));
  return seqs.flatMap((seq) => byNumber.get(seq) ?? []).map(toMemory);
}
