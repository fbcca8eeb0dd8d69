import { sql } from "drizzle-orm";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { TracePage, TraceQuery, TraceRow } from "../../../core/ports/forge-store.ts";
import type { EntityLink, MemoryStatus } from "../../../core/schema/memory.ts";
import { tablesOf } from "../../common/sides.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { blobVector } from "../memories/rows.ts";

/** One page of the rows that runs left within a window. */
export function traceRows(db: Engine, query: TraceQuery): TracePage {
  const scanned = scan(db, query);
  const last = scanned.at(-1);
  return {
    rows: load(
      db,
      query,
      scanned.filter(({ wanted }) => wanted === 1).map(({ seq }) => seq),
    ),
    next: scanned.length === query.scan && last ? { created_at: last.created_at, id: last.id } : null,
  };
}

interface Scanned {
  readonly seq: number;
  readonly created_at: string;
  readonly id: string;
  readonly wanted: 0 | 1;
}

/** Looks at so many rows and no more, whatever share of them belongs to runs. */
function scan(db: Connections, query: TraceQuery): Scanned[] {
  const { tenant_id, fleet_id, since, unexpired_at, before } = query;
  const edge = before ? sql`and (created_at, id) < (${before.created_at}, ${before.id})` : sql``;
  return db.drizzleRead.all<Scanned>(sql`
    select seq, created_at, id,
      run_id is not null and deleted_at is null and visibility <> 'scope_agent'
        and (expires_at is null or expires_at > ${unexpired_at})
        and (${fleet_id} is null or fleet_id = ${fleet_id}) as wanted
    from memories
    where tenant_id = ${tenant_id} and created_at >= ${since} ${edge}
    order by created_at desc, id desc
    limit ${query.scan}`);
}

interface Loaded {
  readonly seq: number;
  readonly id: string;
  readonly run_id: string;
  readonly agent_id: string;
  readonly fleet_id: string | null;
  readonly content: string;
  readonly status: MemoryStatus;
  readonly contradicted_by: string | null;
  readonly metadata: string | null;
  readonly created_at: string;
  readonly entity_links: string;
  readonly vector: Uint8Array | null;
}

function load(db: Engine, query: TraceQuery, seqs: readonly number[]): TraceRow[] {
  const places = JSON.stringify(seqs);
  const rows = db.drizzleRead.all<Loaded>(sql`
    select m.seq, m.id, m.run_id, m.agent_id,
      case when m.visibility = 'scope_team' then m.fleet_id end as fleet_id, substr(m.content, 1, ${query.content_max}) as content,
      m.status, (${newerText(query)}) as contradicted_by, m.metadata, m.created_at, m.entity_links, v.vector
    from json_each(${places}) place
    join memories m on m.seq = place.value and +m.tenant_id = ${query.tenant_id}
    left join ${sql.raw(tablesOf(db.space).memory_vectors)} v on v.seq = m.seq and v.embedder_id = ${query.embedder_id}
    order by place.key`);
  const named = Map.groupBy(
    db.drizzleRead.all<{ memory_seq: number; id: string }>(sql`
      select link.memory_seq, e.id
      from json_each(${places}) place
      join memory_entities link on link.memory_seq = place.value
      join entities e on e.seq = link.entity_seq and e.tenant_id = ${query.tenant_id}`),
    ({ memory_seq }) => memory_seq,
  );
  return rows.map(({ seq, entity_links, metadata, vector, ...row }) => ({
    ...row,
    metadata: parse<JsonObject | null>(metadata ?? "null"),
    entity_ids: distinct([
      ...(named.get(seq) ?? []).map(({ id }) => id),
      ...parse<EntityLink[]>(entity_links).map(({ entity_id }) => entity_id),
    ]),
    vector: vector && blobVector(vector),
  }));
}

/**
 * What the newest standing finding about a row has to say against it; nothing, where only other runs have: how they went
 * says nothing of how this one did.
 */
const newerText = ({ content_max }: TraceQuery) => sql`
  select case when newer.run_id is null or newer.run_id = m.run_id
    then substr(newer.content, 1, ${content_max}) else '' end
  from findings
  join memories newer on newer.seq = findings.newer_seq and newer.deleted_at is null
  where findings.older_seq = m.seq and findings.retracted_at is null
  order by (newer.run_id is null or newer.run_id = m.run_id) desc, findings.id desc limit 1`;

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)].sort();

/** Safe: the store wrote the text from a value of the type that `tables.ts` gives the column. */
const parse = <T>(text: string): T => JSON.parse(text) as T;
