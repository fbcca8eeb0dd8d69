import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { CandidateQuery, ConflictCandidate } from "../../../core/ports/contradiction-store.ts";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import type { Audience } from "../../common/audiences.ts";
import { audiencesOf } from "../accounts/audiences.ts";
import { intArray, textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { MEMORY_COLUMNS } from "../memories/rows.ts";
import { nearestRows } from "../search/nearest.ts";
import { amongCandidates, claiming, LOOKED_THROUGH_MAX } from "./among.ts";
import { closenessOf, ownVectors } from "./closeness.ts";
import type { TellingWords } from "./shared-words.ts";
import { shareOf, sharingMost, tellingWords } from "./shared-words.ts";

/** Candidates of one row in all: which of them are worth comparing is decided by whoever asks. */
const CANDIDATES_MAX = 64;
/** Rows that the claim, the words, the entities, and the vectors may contribute. */
export const BY_CLAIM_MAX = 12;
const BY_WORDS_MAX = 24;
const BY_ENTITY_MAX = 8;
const BY_VECTOR_MAX = 32;
/** Rows with the most words in common that are looked through for those. */
const WORDED_MAX = 96;
/** Nearest codes that are looked through for those: some belong to rows that are no candidates. */
const CODES_MAX = 96;
/** Entities of a row by which others are looked for. */
const ENTITIES_MAX = 16;

/** What is looked for, and what the row asked about is to this engine. */
interface Asked {
  readonly query: CandidateQuery;
  readonly seq: number;
  readonly audiences: readonly Audience[];
  /** What the coarse indexes can tell of the row's readers. */
  readonly filter: MemoryFilter;
}

/** Finds the rows that a row may contradict, by claim, vector, words and entity; each leg bounded. */
export async function findCandidates(work: Work, query: CandidateQuery): Promise<ConflictCandidate[]> {
  const { space } = work;
  const { tenant_id, id, content } = query.memory;
  const row = await work.row<{ seq: number }>(
    sql`select seq from memories where tenant_id = ${tenant_id} and id = ${id}`,
  );
  if (!row) return [];
  const { seq } = row;
  const audiences = await audiencesOf(work, tenant_id);
  const asked: Asked = { query, seq, audiences, filter: codesOfReaders(query) };
  const [own] = query.embedder_id === space.id ? await ownVectors(work, { tenant_id, space }, [seq]) : [];
  const words = await tellingWords(work, asked, content);
  const found = await lookedUp(work, asked, {
    near: own ? await nearestRows(work, space, { filter: asked.filter, pool: CODES_MAX, audiences }, own) : [],
    worded: await sharingMost(work, asked.filter, words, WORDED_MAX),
  });
  const linked = await byEntities(work, asked);
  const all = [...new Set([...Object.values(found).flat(), ...linked])];
  const closeness = own ? await closenessOf(work, { tenant_id, space }, own, all) : new Map<number, number>();
  const legs = [found.unrecorded, found.claimed, nearestOf(found.near, closeness), found.worded, linked];
  const seqs = [...new Set(legs.flat())].slice(0, CANDIDATES_MAX);
  const loaded = await loadCandidates(work, asked, words, seqs);
  return loaded.map(({ seq, shared_words, ...memory }) => ({
    memory,
    closeness: closeness.get(seq) ?? null,
    shared_words,
  }));
}

/** What the coarse index can tell of a candidate's readers: a private row's are its own agent's rows. */
function codesOfReaders({ memory: { tenant_id, agent_id, fleet_id, visibility } }: CandidateQuery): MemoryFilter {
  const isPrivate = visibility === "scope_agent";
  return {
    tenant_id,
    read_scope: { tenant_id, agent_id, fleets: fleet_id === null ? [] : [fleet_id] },
    ...(fleet_id === null ? {} : { fleets: { ids: [fleet_id], orShared: false } }),
    ...(isPrivate ? { written_by: agent_id } : {}),
  };
}

/** Numbers in hand, in their order. */
const inOrder = (seqs: readonly number[]): SQL =>
  sql`select seq, place from unnest(${intArray(seqs)}) with ordinality as given (seq, place)`;

/** Candidates by what they were found by, each in its order. */
interface Found {
  /** Those of the rows in hand that state something of the same: the index does not have them yet. */
  readonly unrecorded: readonly number[];
  /** Rows that state something of the same subject under the same predicate, newest first. */
  readonly claimed: readonly number[];
  /** Rows with the nearest codes. */
  readonly near: readonly number[];
  /** Rows that share the most words with the row, weighed by their rarity. */
  readonly worded: readonly number[];
}

/** Looks up the rows of the first legs, and which of those of the others are candidates, in one statement. */
async function lookedUp(
  work: Work,
  { query, seq, filter: { tenant_id } }: Asked,
  { near, worded }: Pick<Found, "near" | "worded">,
): Promise<Found> {
  const { memory, claim, unrecorded } = query;
  const ids = unrecorded.flatMap(({ id, shares_claim }) => (shares_claim ? id : []));
  const legs: readonly (readonly [leg: keyof Found, numbers: SQL | null])[] = [
    [
      "unrecorded",
      ids.length === 0
        ? null
        : sql`select seq, seq as place from memories where tenant_id = ${tenant_id} and id = any(${textArray(ids)})`,
    ],
    ["claimed", claim && claiming(memory, claim)],
    ["near", near.length === 0 ? null : inOrder(near)],
    ["worded", worded.length === 0 ? null : inOrder(worded)],
  ];
  const asked = legs.flatMap(([leg, numbers]) =>
    numbers
      ? [sql`select ${sql.raw(`'${leg}'`)} as leg, seq, place from (${amongCandidates(numbers, query, seq)}) one`]
      : [],
  );
  const rows =
    asked.length === 0
      ? []
      : await work.rows<{ leg: keyof Found; seq: number }>(
          sql`select leg, seq from (${sql.join(asked, sql` union all `)}) found order by place`,
        );
  const of = (leg: keyof Found) => rows.filter((row) => row.leg === leg).map((row) => row.seq);
  return {
    unrecorded: of("unrecorded"),
    claimed: of("claimed").slice(0, BY_CLAIM_MAX),
    near: of("near"),
    worded: of("worded").slice(0, BY_WORDS_MAX),
  };
}

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
async function byEntities(work: Work, { query, seq, filter: { tenant_id } }: Asked): Promise<number[]> {
  const numbers = sql`
    select named.memory_seq as seq, own.entity_seq as place
    from (select distinct entity_seq from memory_entities
        where tenant_id = ${tenant_id} and memory_seq = ${seq}
        order by entity_seq limit ${sql.raw(String(ENTITIES_MAX))}) own
      cross join lateral (select memory_seq from memory_entities
        where tenant_id = ${tenant_id} and entity_seq = own.entity_seq
        order by memory_seq desc limit ${sql.raw(String(LOOKED_THROUGH_MAX))}) named`;
  const rows = await work.rows<{ seq: number }>(sql`
    select seq from (
      select seq, 1::float8 / count(*) over (partition by place) as share
      from (${amongCandidates(numbers, query, seq)}) linked) shared
    group by seq order by sum(share) desc, seq desc limit ${sql.raw(String(BY_ENTITY_MAX))}`);
  return rows.map((row) => row.seq);
}

interface LoadedCandidate extends StoredMemory {
  readonly seq: number;
  readonly shared_words: number;
}

async function loadCandidates(
  work: Work,
  { filter: { tenant_id } }: Asked,
  words: TellingWords,
  seqs: readonly number[],
): Promise<LoadedCandidate[]> {
  if (seqs.length === 0) return [];
  return work.rows<LoadedCandidate>(sql`
    select ${MEMORY_COLUMNS}, memories.seq, ${shareOf(words)} as shared_words
    from (${inOrder(seqs)}) wanted
      join memories on memories.tenant_id = ${tenant_id} and memories.seq = wanted.seq
      left join memory_words held on held.tenant_id = memories.tenant_id and held.seq = memories.seq
    order by wanted.place`);
}
