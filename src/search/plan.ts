import { actAs } from "../access/acting.ts";
import { readScopeOf } from "../access/read-scope.ts";
import { requireTenant } from "../access/tenant.ts";
import { CROSS_FLEET_READ, requireFleets, requireOwnIdentity } from "../access/trust.ts";
import { toTimestamp } from "../core/kernel/clock.ts";
import { AppError } from "../core/kernel/errors.ts";
import { nearestWord } from "../core/kernel/text.ts";
import type { SearchCtx } from "../core/ports/context.ts";
import type { EmbeddedQuery } from "../core/ports/hits.ts";
import type { MemoryFilter, ReadScope } from "../core/ports/memory-filter.ts";
import type { Warning } from "../core/schema/common.ts";
import type { MemoryStatus } from "../core/schema/memory.ts";
import type { ViewMembers } from "../core/schema/memory-view.ts";
import { SearchRequest, TOP_K_DEFAULT } from "../core/schema/retrieval.ts";
import { HELD_STATUSES, happenedIn, validAt } from "../memories/valid-at.ts";
import { asksPast } from "./question.ts";
import type { Thresholds } from "./thresholds.ts";

/** Statuses that a search returns without a status filter: what was withdrawn stays out, and what was superseded unless it asks for the past. */
const SEARCHED_STATUSES: readonly MemoryStatus[] = ["active", "confirmed", "pending", "conflicted"];
/** Rows each leg contributes: recall of the twenty best is above .98 from here on (bench of the README). */
const POOL = 128;

/** A search with every choice made. */
export interface SearchPlan extends Thresholds {
  readonly query: string;
  /** What its reader may see, whatever the filter asks for. */
  readonly read_scope: ReadScope;
  readonly filter: MemoryFilter;
  readonly top_k: number;
  /** How often the reply has each row. */
  readonly copies: number;
  /** What the best row must score, else none is returned; null for any. */
  readonly least_best: number | null;
  readonly pool: number;
  /** The question as the model has read it; absent where that is still to be done. */
  readonly embedded?: EmbeddedQuestion | undefined;
  /** Whether what hooks told often, and nobody used, scores less. */
  readonly sink_unused: boolean;
  /** Milliseconds that the embedding model may take; none for the usual ones. */
  readonly wait_ms: SearchRequest["wait_ms"];
  /** The agent the search runs as, null for none. */
  readonly agent_id: string | null;
  readonly now: number;
  /** The moment that "now" means to the query: `valid_at` where it names one. */
  readonly asked_at: number;
  readonly warnings: readonly Warning[];
}

/** A question as the model has read it. */
export interface EmbeddedQuestion {
  readonly query: EmbeddedQuery;
  /** When the question came, in epoch milliseconds. */
  readonly came_at: number;
  /** Milliseconds that the model took, or was waited for. */
  readonly took_ms: number;
}

export interface SearchInput {
  readonly body: SearchRequest;
  readonly ignored: readonly string[];
  /** What the address says of the view; the body goes before it. */
  readonly query?: ViewMembers;
  /** Absent where the search is to embed the question itself. */
  readonly embedded?: EmbeddedQuestion;
}

/** Turns a request into a plan. Throws BAD_REQUEST for a blank query, TENANT_MISMATCH for a foreign tenant. */
export async function planSearch(asked: SearchCtx, { body, ignored, embedded }: SearchInput): Promise<SearchPlan> {
  const tenant_id = requireTenant(asked, body.tenant_id);
  await requireOwnIdentity(asked, body.filter_agent_id);
  await requireOwnIdentity(asked, body.agent_id);
  const fleets = body.fleet_ids ?? [];
  const ctx = await actAs(asked, { agent_id: body.caller_agent_id, fleets });
  requireFleets(ctx, fleets, CROSS_FLEET_READ);
  const query = body.query.trim();
  if (query === "") throw new AppError("BAD_REQUEST", "query must not be blank.");
  const now = ctx.clock.now();
  const agent_id = ctx.principal.agent_id ?? body.agent_id ?? body.filter_agent_id ?? null;
  const read_scope = readScopeOf(ctx, agent_id);
  const type = body.memory_type_filter ?? body.memory_type;
  const status = body.status_filter ?? body.status;
  const asOf = body.valid_at ? validAt(body.valid_at, body.utc_offset_minutes) : null;
  return {
    query,
    read_scope,
    top_k: body.top_k ?? body.limit ?? TOP_K_DEFAULT,
    copies: 1,
    min_similarity: body.min_similarity ?? null,
    min_score: body.min_score ?? null,
    least_best: null,
    pool: POOL,
    embedded,
    sink_unused: body.sink_unused ?? false,
    wait_ms: body.wait_ms,
    agent_id,
    now,
    asked_at: asOf?.valid_at ? Date.parse(asOf.valid_at) : now,
    warnings: [...unknownFields(ignored), ...doubledAliases(body)],
    filter: {
      tenant_id,
      read_scope,
      written_by: body.filter_agent_id ?? undefined,
      fleets: placeSearched(body),
      memory_types: type ? [type] : undefined,
      statuses: asksPast(query) ? HELD_STATUSES : SEARCHED_STATUSES,
      unexpired_at: toTimestamp(now),
      ...asOf,
      happened: happenedIn(body),
      ...(status ? { statuses: [status] } : {}),
    },
  };
}

/** What is of the fleets that are named, or of every one; an empty list names no fleet, and so narrows nothing. */
function placeSearched({ fleet_ids, shared_only }: SearchRequest): MemoryFilter["fleets"] {
  const ids = fleet_ids ?? [];
  return ids.length > 0 || shared_only ? { ids, orShared: true } : undefined;
}

const FIELDS = Object.keys(SearchRequest.shape);

function unknownFields(ignored: readonly string[]): Warning[] {
  if (ignored.length === 0) return [];
  const named = ignored.map((name) => {
    const near = nearestWord(name, FIELDS);
    return near === null ? name : `${name} (did you mean ${near}?)`;
  });
  const message = `These fields are not known here and were ignored: ${named.join(", ")}.`;
  return [{ code: "unrecognized_parameters", message, details: { parameters: [...ignored] } }];
}

const ALIASES = [
  ["memory_type", "memory_type_filter"],
  ["status", "status_filter"],
  ["limit", "top_k"],
] as const;

function doubledAliases(body: SearchRequest): Warning[] {
  const doubled = ALIASES.filter(([alias, name]) => body[alias] != null && body[name] != null);
  return doubled.map(([alias, name]) => ({
    code: "superseded_parameter_alias",
    message: `${alias} is an alias of ${name}; both were sent and ${name} was used.`,
    details: { used: name, ignored: alias },
  }));
}
