import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { TracePage, TraceQuery, TraceRow } from "../../../core/ports/forge-store.ts";
import type { StoredLink } from "../../../core/ports/stored-memory.ts";
import { tablesOf } from "../../common/sides.ts";
import { vectorIn } from "../../units/vectors.ts";
import { intArray, sentVector } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";

/** One page of the rows that runs left within a window. */
export async function traceRows(work: Work, query: TraceQuery): Promise<TracePage> {
  const scanned = await scan(work, query);
  const last = scanned.at(-1);
  const wanted = scanned.filter((row) => row.wanted).map(({ seq }) => seq);
  return {
    rows: wanted.length === 0 ? [] : await load(work, query, wanted),
    next: scanned.length === query.scan && last ? { created_at: last.created_at, id: last.id } : null,
  };
}

interface Scanned {
  readonly seq: number;
  readonly created_at: string;
  readonly id: string;
  readonly wanted: boolean;
}

/** Looks at so many rows and no more, whatever share of them belongs to runs. */
function scan(work: Work, query: TraceQuery): Promise<Scanned[]> {
  const { tenant_id, fleet_id, since, unexpired_at, before } = query;
  const edge = before ? sql`and (created_at, id) < (${before.created_at}, ${before.id})` : sql``;
  return work.rows<Scanned>(sql`
    select seq, created_at, id,
      run_id is not null and deleted_at is null and visibility <> 'scope_agent'
        and (expires_at is null or expires_at > ${unexpired_at})
        and (${fleet_id}::text is null or coalesce(fleet_id = ${fleet_id}, false)) as wanted
    from memories
    where tenant_id = ${tenant_id} and created_at >= ${since} ${edge}
    order by created_at desc, id desc
    limit ${query.scan}`);
}

interface Loaded extends Omit<TraceRow, "entity_ids" | "vector"> {
  readonly seq: number;
  readonly entity_links: StoredLink[];
  /** As `sentVector` has it. */
  readonly vector: string | null;
}

async function load(work: Work, query: TraceQuery, seqs: readonly number[]): Promise<TraceRow[]> {
  const places = intArray(seqs);
  const { tenant_id, content_max } = query;
  const rows = await work.rows<Loaded>(sql`
    select m.seq, m.id, m.run_id, m.agent_id,
      case when m.visibility = 'scope_team' then m.fleet_id end as fleet_id,
      substr(m.content, 1, ${content_max}::int) as content,
      m.status, (${newerText(query)}) as contradicted_by, m.metadata, m.created_at, m.entity_links,
      ${sentVector(sql`v.vector`)} as vector
    from memories m
      left join ${sql.raw(tablesOf(work.space).memory_vectors)} v
        on v.tenant_id = m.tenant_id and v.seq = m.seq and v.embedder_id = ${query.embedder_id}
    where m.tenant_id = ${tenant_id} and m.seq = any(${places})
    order by m.created_at desc, m.id desc`);
  const links = await work.rows<{ memory_seq: number; id: string }>(sql`
    select link.memory_seq, e.id
    from memory_entities link join entities e on e.tenant_id = link.tenant_id and e.seq = link.entity_seq
    where link.tenant_id = ${tenant_id} and link.memory_seq = any(${places})`);
  const named = Map.groupBy(links, ({ memory_seq }) => memory_seq);
  return rows.map(({ seq, entity_links, vector, ...row }) => ({
    ...row,
    entity_ids: distinct([
      ...(named.get(seq) ?? []).map(({ id }) => id),
      ...entity_links.map(({ entity_id }) => entity_id),
    ]),
    vector: vectorIn(vector),
  }));
}

/**
 * What the newest standing finding about a row has to say against it; nothing, where only other runs have: how they went
 * says nothing of how this one did.
 */
const newerText = ({ content_max }: TraceQuery): SQL => sql`
  select case when newer.run_id is null or newer.run_id = m.run_id
    then substr(newer.content, 1, ${content_max}::int) else '' end
  from findings
    join memories newer on newer.tenant_id = findings.tenant_id and newer.seq = findings.newer_seq
      and newer.deleted_at is null
  where findings.tenant_id = m.tenant_id and findings.older_seq = m.seq and findings.retracted_at is null
  order by (newer.run_id is null or newer.run_id = m.run_id) desc, findings.id desc limit 1`;

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)].sort();
