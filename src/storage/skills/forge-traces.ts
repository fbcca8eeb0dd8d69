import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { TracePage, TraceQuery, TraceRow } from "../../core/ports/forge-store.ts";
import type { StoredLink } from "../../core/ports/stored-memory.ts";
import { POSSIBLE } from "../../core/schema/observing/possible-change.ts";
import { tablesOf } from "../common/sides.ts";
import type { EmbedderSpace } from "../options.ts";
import type { SqlDialect } from "../units/dialect.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import { vectorIn } from "../units/vectors.ts";
import type { Work } from "../units/work.ts";

/** One page of the rows that runs left within a window. */
export function* traceRows({ dialect }: Work, space: EmbedderSpace, query: TraceQuery): Unit<TracePage> {
  const scanned = yield* scan(query);
  const last = scanned.at(-1);
  const wanted = scanned.filter((row) => row.wanted).map(({ seq }) => seq);
  return {
    rows: wanted.length === 0 ? [] : yield* load(dialect, space, query, wanted),
    next: scanned.length === query.scan && last ? { created_at: last.created_at, id: last.id } : null,
  };
}

interface Scanned {
  readonly seq: number;
  readonly created_at: string;
  readonly id: string;
  readonly wanted: boolean | number;
}

/** Looks at so many rows and no more, whatever share of them belongs to runs. */
function scan({ tenant_id, fleet_id, since, unexpired_at, before, scan: limit }: TraceQuery): Unit<Scanned[]> {
  const edge = before ? sql`and (created_at, id) < (${before.created_at}, ${before.id})` : sql``;
  const ofFleet = fleet_id === null ? sql`` : sql`and coalesce(fleet_id = ${fleet_id}, false)`;
  return rows<Scanned>(sql`
    select seq, created_at, id,
      run_id is not null and deleted_at is null and visibility <> 'scope_agent'
        and (expires_at is null or expires_at > ${unexpired_at}) ${ofFleet} as wanted
    from memories
    where tenant_id = ${tenant_id} and created_at >= ${since} ${edge}
    order by created_at desc, id desc
    limit ${limit}`);
}

interface Loaded extends Omit<TraceRow, "entity_ids" | "vector"> {
  readonly seq: number;
  readonly entity_links: unknown;
  readonly vector: Uint8Array | string | null;
}

function* load(
  dialect: SqlDialect,
  space: EmbedderSpace,
  query: TraceQuery,
  seqs: readonly number[],
): Unit<TraceRow[]> {
  const { tenant_id, content_max } = query;
  const found = yield* rows<Loaded>(sql`
    select m.seq, m.id, m.run_id, m.agent_id,
      case when m.visibility = 'scope_team' then m.fleet_id end as fleet_id,
      substr(m.content, 1, cast(${content_max} as int)) as content,
      m.status, (${newerText(dialect, query)}) as contradicted_by, m.metadata, m.created_at, m.entity_links,
      ${dialect.sent(sql`v.vector`)} as vector
    from memories m
      left join ${sql.raw(tablesOf(space).memory_vectors)} v
        on ${dialect.tenant("v", tenant_id)} and v.seq = m.seq and v.embedder_id = ${query.embedder_id}
    where ${dialect.belongs("m", tenant_id)} and ${dialect.isIn(sql`m.seq`, seqs)}
    order by m.created_at desc, m.id desc`);
  const links = yield* rows<{ memory_seq: number; id: string }>(sql`
    select link.memory_seq, e.id
    from memory_entities link ${dialect.nested} entities e on e.tenant_id = ${tenant_id} and e.seq = link.entity_seq
    where ${dialect.tenant("link", tenant_id)} and ${dialect.isIn(sql`link.memory_seq`, seqs)}`);
  const named = Map.groupBy(links, ({ memory_seq }) => memory_seq);
  return found.map(({ seq, entity_links, vector, ...row }) => ({
    ...row,
    metadata: jsonIn(row.metadata),
    entity_ids: distinct([
      ...(named.get(seq) ?? []).map(({ id }) => id),
      ...jsonIn<StoredLink[]>(entity_links).map(({ entity_id }) => entity_id),
    ]),
    vector: vectorIn(vector),
  }));
}

/**
 * What the newest standing finding about a row has to say against it; nothing, where only other runs have: how they went
 * says nothing of how this one did.
 */
const newerText = (dialect: SqlDialect, { tenant_id, content_max }: TraceQuery): SQL => sql`
  select case when newer.run_id is null or newer.run_id = m.run_id
    then substr(newer.content, 1, cast(${content_max} as int)) else '' end
  from findings ${dialect.nested} memories newer on ${dialect.belongs("newer", tenant_id)}
    and newer.seq = findings.newer_seq and newer.deleted_at is null
  where ${dialect.belongs("findings", tenant_id)} and findings.older_seq = m.seq and findings.retracted_at is null
    and findings.status <> ${POSSIBLE}
  order by (newer.run_id is null or newer.run_id = m.run_id) desc, findings.id desc limit 1`;

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)].sort();
