import type { SQLQueryBindings } from "bun:sqlite";
import type { CandidateQuery, ConflictCandidate } from "../../../core/ports/contradiction-store.ts";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import { LIVE_STATUSES } from "../../../core/schema/memory.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import type { RawMemory } from "../memories/rows.ts";
import { blobVector, MEMORY_COLUMNS, parseMemory } from "../memories/rows.ts";
import type { Coded } from "../vectors/vectors.ts";
import { nearestCodes } from "../vectors/vectors.ts";
import { CLAIMS_MAX } from "./claims.ts";

/** Candidates of one row in all. */
const CANDIDATES_MAX = 24;
/** Rows that one claim, one entity, and the vectors may contribute. */
const BY_CLAIM_MAX = 12;
const BY_ENTITY_MAX = 8;
const BY_VECTOR_MAX = 12;
/** Nearest codes that are looked through for those: some belong to rows that are no candidates. From 64 on, a sample speeds the scan up. */
const CODES_MAX = 64;
/** Newest rows of a claim or an entity that are looked through. */
const LOOKED_THROUGH_MAX = 256;
/** Entities of a row by which others are looked for. */
const ENTITIES_MAX = 16;

/** Finds the rows that a row may contradict, by claim, vector and entity; each leg bounded. */
export function findCandidates(db: Connections, space: EmbedderSpace, query: CandidateQuery): ConflictCandidate[] {
  const { tenant_id, id } = query.memory;
  const found = db.readConnection
    .query<{ seq: number }, [string, string]>("select seq from memories where id = ? and tenant_id = ?")
    .get(id, tenant_id);
  if (!found) return [];
  const legs = [
    byClaims(db, query, found.seq),
    byVector(db, space, query, found.seq),
    byEntities(db, query, found.seq),
  ];
  const seqs = [...new Set(legs.flat())].slice(0, CANDIDATES_MAX);
  return loadCandidates(db, query, found.seq, seqs);
}

/** Live statuses as SQL. */
const LIVE = LIVE_STATUSES.map((status) => `'${status}'`).join(", ");

/** Narrows numbers of rows to those of candidates, as a first sieve: whether a pair may clash is decided by whoever asks. The statement that finds the numbers comes first; its values are bound first. */
const amongCandidates = (numbers: string): string => `
  select memories.seq as seq from (${numbers}) found
  cross join memories on memories.seq = found.seq
  cross join memory_checks checked on checked.memory_seq = memories.seq and checked.content_hash = memories.content_hash
  where memories.seq <> ? and memories.tenant_id = ? and memories.fleet_id is ? and memories.deleted_at is null
    and (memories.expires_at is null or memories.expires_at > ?)
    and (memories.agent_id = ? or (? <> 'scope_agent' and memories.visibility <> 'scope_agent'))
    and (
      memories.status in (${LIVE})
      or (checked.former_status is not null
        and (memories.status = 'conflicted' or max(memories.created_at, coalesce(memories.ts_valid_start, '')) >= ?))
    )`;

const candidateValues = ({ memory, now, happened_at }: CandidateQuery, seq: number): SQLQueryBindings[] => [
  seq,
  memory.tenant_id,
  memory.fleet_id,
  now,
  memory.agent_id,
  memory.visibility,
  happened_at,
];

/** Rows that claim something of the same subject under the same predicate, newest first. */
function byClaims(db: Connections, query: CandidateQuery, seq: number): number[] {
  const { memory, claims } = query;
  const numbers = `select memory_seq as seq from memory_claims
    where tenant_id = ? and fleet_id = ? and subject_key = ? and predicate = ?
    order by memory_seq desc limit ${LOOKED_THROUGH_MAX}`;
  const statement = db.readConnection.query<{ seq: number }, SQLQueryBindings[]>(
    `${amongCandidates(numbers)} limit ${BY_CLAIM_MAX}`,
  );
  const shared = candidateValues(query, seq);
  return claims.slice(0, CLAIMS_MAX).flatMap(({ subject_key, predicate }) => {
    const rows = statement.all(memory.tenant_id, memory.fleet_id ?? "", subject_key, predicate, ...shared);
    return rows.map((row) => row.seq);
  });
}

/** Rows with the nearest vectors, nearest first. */
function byVector(db: Connections, space: EmbedderSpace, query: CandidateQuery, seq: number): number[] {
  if (query.embedder_id !== space.id) return [];
  const own = ownVectors(db, space, seq);
  const values = query.question ?? own?.values;
  if (!values) return [];
  const asked = { values, second: own?.secondary };
  const near = nearestCodes(db, space, { filter: codesOfReaders(query), pool: CODES_MAX }, asked);
  const numbers = "select value as seq from json_each(?) order by key";
  return db.readConnection
    .query<{ seq: number }, SQLQueryBindings[]>(`${amongCandidates(numbers)} limit ${BY_VECTOR_MAX}`)
    .all(JSON.stringify(near), ...candidateValues(query, seq))
    .map((row) => row.seq);
}

function ownVectors(db: Connections, space: EmbedderSpace, seq: number): Coded | null {
  const found = db.readConnection
    .query<{ vector: Uint8Array; second: Uint8Array | null }, [number, string]>(
      "select vector, second from memory_vectors where seq = ? and embedder_id = ?",
    )
    .get(seq, space.id);
  return found && { values: blobVector(found.vector), secondary: found.second && blobVector(found.second) };
}

/** What the coarse index can tell of a candidate's readers: a private row's are its own agent's rows. */
function codesOfReaders({ memory: { tenant_id, agent_id, fleet_id, visibility } }: CandidateQuery): MemoryFilter {
  const isPrivate = visibility === "scope_agent";
  return {
    tenant_id,
    read_scope: { tenant_id, agent_id, fleets: fleet_id === null ? [] : [fleet_id] },
    fleets: { ids: [fleet_id ?? ""], orShared: false },
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
  readonly cosine: number | null;
  readonly shared_entities: number;
}

function loadCandidates(
  db: Connections,
  { embedder_id }: CandidateQuery,
  seq: number,
  seqs: readonly number[],
): ConflictCandidate[] {
  const rows = db.readConnection
    .query<LoadedCandidate, SQLQueryBindings[]>(`
      select ${MEMORY_COLUMNS}, case when theirs.vector is not null then 1 - vec_distance_cosine(mine.vector, theirs.vector) end as cosine,
        (select count(distinct a.entity_seq) from memory_entities a
          join memory_entities b on b.entity_seq = a.entity_seq and b.memory_seq = memories.seq
          where a.memory_seq = ?) as shared_entities
      from json_each(?) wanted
      cross join memories on memories.seq = wanted.value
      left join memory_vectors mine on mine.seq = ? and mine.embedder_id = ?
      left join memory_vectors theirs on theirs.seq = memories.seq and theirs.embedder_id = mine.embedder_id
      order by wanted.key`)
    .all(seq, JSON.stringify(seqs), seq, embedder_id);
  return rows.map(({ cosine, shared_entities, ...noun }) => ({ memory: parseMemory(noun), cosine, shared_entities }));
}
