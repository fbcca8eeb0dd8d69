import type { SQLQueryBindings } from "bun:sqlite";
import type { CandidateQuery, ClaimKey, ConflictCandidate } from "../../../core/ports/contradiction-store.ts";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import { LIVE_STATUSES } from "../../../core/schema/memory.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import type { RawMemory } from "../memories/rows.ts";
import { MEMORY_COLUMNS, parseMemory } from "../memories/rows.ts";
import type { HitIndex } from "../search/hits.ts";
import { nearestCodes } from "../vectors/vectors.ts";
import type { OwnVectors } from "./closeness.ts";
import { closenessTo, ownVectors } from "./closeness.ts";
import type { SharedWords } from "./shared-words.ts";
import { sharedWords } from "./shared-words.ts";

/** Candidates of one row in all: which of them are worth comparing is decided by whoever asks. */
const CANDIDATES_MAX = 64;
/** Rows that the claim, the words, the entities, and the vectors may contribute. */
export const BY_CLAIM_MAX = 12;
const BY_WORDS_MAX = 24;
const BY_ENTITY_MAX = 8;
const BY_VECTOR_MAX = 32;
/** Rows with the most words in common that are looked through for those. */
const WORDED_MAX = 96;
/** Nearest codes that are looked through for those: some belong to rows that are no candidates. From 64 on, a sample speeds the scan up. */
const CODES_MAX = 96;
/** Newest rows of a claim or an entity that are looked through. */
const LOOKED_THROUGH_MAX = 256;
/** Entities of a row by which others are looked for. */
const ENTITIES_MAX = 16;

/** Finds the rows that a row may contradict, by claim, vector, words and entity; each leg bounded. */
export function findCandidates(db: Connections, index: HitIndex, query: CandidateQuery): ConflictCandidate[] {
  const { tenant_id, id } = query.memory;
  const found = db.readConnection
    .query<{ seq: number }, [string, string]>("select seq from memories where id = ? and tenant_id = ?")
    .get(id, tenant_id);
  if (!found) return [];
  const { space } = index;
  const [own] = query.embedder_id === space.id ? ownVectors(db, space, [found.seq]) : [];
  const words = sharedWords(db, index, codesOfReaders(query), query.memory.content);
  const legs = [
    byUnrecorded(db, query, found.seq),
    byClaim(db, query, found.seq),
    own ? byVector(db, index, query, own) : [],
    byWords(db, query, found.seq, words),
    byEntities(db, query, found.seq),
  ];
  const seqs = [...new Set(legs.flat())].slice(0, CANDIDATES_MAX);
  const closeness = own ? closenessOf(db, space, own, seqs) : new Map<number, number>();
  return loadCandidates(db, seqs, { closeness, words });
}

/** Live statuses as SQL. */
const LIVE = LIVE_STATUSES.map((status) => `'${status}'`).join(", ");

/** Narrows numbers of rows to those of candidates, as a first sieve: whether a pair may clash is decided by whoever asks. The statement that finds the numbers comes first; its values are bound first. */
const amongCandidates = (numbers: string): string => `${among(numbers)}
    and (checked.content_hash = memories.content_hash or memories.id in (select value from json_each(?)))`;

/** The same for rows that were checked or not. */
export const among = (numbers: string): string => `
  select memories.seq as seq from (${numbers}) found
  cross join memories on memories.seq = found.seq
  left join memory_checks checked on checked.memory_seq = memories.seq
  where memories.seq <> ? and memories.tenant_id = ? and memories.fleet_id is ? and memories.deleted_at is null
    and (memories.expires_at is null or memories.expires_at > ?)
    and (memories.agent_id = ? or (? <> 'scope_agent' and memories.visibility <> 'scope_agent'))
    and (
      memories.status in (${LIVE})
      or (checked.former_status is not null
        and (memories.status = 'conflicted' or max(memories.created_at, coalesce(memories.ts_valid_start, '')) >= ?))
    )`;

const candidateValues = (query: CandidateQuery, seq: number): SQLQueryBindings[] => [
  ...valuesAmong(query, seq),
  JSON.stringify(query.unrecorded.map(({ id }) => id)),
];

export const valuesAmong = (
  { memory, now, happened_at }: Pick<CandidateQuery, "memory" | "now" | "happened_at">,
  seq: number,
): SQLQueryBindings[] => [seq, memory.tenant_id, memory.fleet_id, now, memory.agent_id, memory.visibility, happened_at];

/** Those of the rows in hand that state something of the same: the index does not have them yet. */
function byUnrecorded(db: Connections, query: CandidateQuery, seq: number): number[] {
  const ids = query.unrecorded.flatMap(({ id, shares_claim }) => (shares_claim ? id : []));
  if (ids.length === 0) return [];
  const numbers = "select seq from memories where id in (select value from json_each(?))";
  return db.readConnection
    .query<{ seq: number }, SQLQueryBindings[]>(amongCandidates(numbers))
    .all(JSON.stringify(ids), ...candidateValues(query, seq))
    .map((row) => row.seq);
}

/** The newest rows of a claim, and the values that it binds. */
export const CLAIMING = `select memory_seq as seq from memory_claims
    where tenant_id = ? and fleet_id = ? and subject_key = ? and predicate = ?
    order by memory_seq desc limit ${LOOKED_THROUGH_MAX}`;
export const claimValues = (
  { tenant_id, fleet_id }: Pick<CandidateQuery["memory"], "tenant_id" | "fleet_id">,
  { subject_key, predicate }: ClaimKey,
): string[] => [tenant_id, fleet_id ?? "", subject_key, predicate];

/** Rows that state something of the same subject under the same predicate, newest first. */
function byClaim(db: Connections, query: CandidateQuery, seq: number): number[] {
  const { memory, claim } = query;
  if (claim === null) return [];
  return db.readConnection
    .query<{ seq: number }, SQLQueryBindings[]>(`${amongCandidates(CLAIMING)} limit ${BY_CLAIM_MAX}`)
    .all(...claimValues(memory, claim), ...candidateValues(query, seq))
    .map((row) => row.seq);
}

/** Rows that share the most words with the row, weighed by their rarity. */
function byWords(db: Connections, query: CandidateQuery, seq: number, words: SharedWords): number[] {
  const numbers = "select value as seq from json_each(?)";
  return db.readConnection
    .query<{ seq: number }, SQLQueryBindings[]>(`${amongCandidates(numbers)} limit ${BY_WORDS_MAX}`)
    .all(JSON.stringify(words.most(WORDED_MAX)), ...candidateValues(query, seq))
    .map((row) => row.seq);
}

/** Rows with the nearest vectors, nearest first: those with the nearest codes, ordered by their exact vectors. */
function byVector(db: Connections, { space, rows }: HitIndex, query: CandidateQuery, own: OwnVectors): number[] {
  const filter = codesOfReaders(query);
  const indexed = rows?.within(db, filter);
  const near = indexed?.nearest(own, CODES_MAX) ?? nearestCodes(db, space, { filter, pool: CODES_MAX }, own);
  const numbers = "select value as seq from json_each(?)";
  const among = db.readConnection
    .query<{ seq: number }, SQLQueryBindings[]>(amongCandidates(numbers))
    .all(JSON.stringify(near), ...candidateValues(query, own.seq));
  const closeness = closenessOf(
    db,
    space,
    own,
    among.map(({ seq }) => seq),
  );
  return [...closeness]
    .sort(([a, closeA], [b, closeB]) => closeB - closeA || b - a)
    .slice(0, BY_VECTOR_MAX)
    .map(([seq]) => seq);
}

function closenessOf(
  db: Connections,
  space: EmbedderSpace,
  own: OwnVectors,
  seqs: readonly number[],
): ReadonlyMap<number, number> {
  const closeness = closenessTo(space, own);
  return new Map(ownVectors(db, space, seqs).map((other) => [other.seq, closeness(other)]));
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

/** Rows that name the same entities; the rarer the entities they share, the sooner. */
function byEntities(db: Connections, query: CandidateQuery, seq: number): number[] {
  const own = db.readConnection
    .query<{ entity_seq: number }, [number]>(
      `select distinct entity_seq from memory_entities where memory_seq = ? limit ${ENTITIES_MAX}`,
    )
    .all(seq);
  const numbers = `select memory_seq as seq from memory_entities where entity_seq = ?
    order by memory_seq desc limit ${LOOKED_THROUGH_MAX}`;
  const statement = db.readConnection.query<{ seq: number }, SQLQueryBindings[]>(amongCandidates(numbers));
  const weights = new Map<number, number>();
  for (const { entity_seq } of own) {
    const rows = statement.all(entity_seq, ...candidateValues(query, seq));
    for (const row of rows) weights.set(row.seq, (weights.get(row.seq) ?? 0) + 1 / rows.length);
  }
  return [...weights]
    .sort(([a, weightA], [b, weightB]) => weightB - weightA || b - a)
    .slice(0, BY_ENTITY_MAX)
    .map(([number]) => number);
}

interface LoadedCandidate extends RawMemory {
  readonly seq: number;
}

function loadCandidates(
  db: Connections,
  seqs: readonly number[],
  { closeness, words }: { readonly closeness: ReadonlyMap<number, number>; readonly words: SharedWords },
): ConflictCandidate[] {
  const rows = db.readConnection
    .query<LoadedCandidate, SQLQueryBindings[]>(`
      select ${MEMORY_COLUMNS}, memories.seq from json_each(?) wanted
      cross join memories on memories.seq = wanted.value
      order by wanted.key`)
    .all(JSON.stringify(seqs));
  return rows.map(({ seq, ...noun }) => ({
    memory: parseMemory(noun),
    closeness: closeness.get(seq) ?? null,
    shared_words: words.shareOf(seq),
  }));
}
