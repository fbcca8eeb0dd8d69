import { requireTenant } from "../access/tenant.ts";
import { ADMINISTER, requireFleets, requireOwnIdentity, requireTrust } from "../access/trust.ts";
import { toTimestamp } from "../kernel/clock.ts";
import { contentHash } from "../kernel/hash.ts";
import { newId } from "../kernel/ids.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Ctx } from "../ports/context.ts";
import type { StoredMemory } from "../ports/memory-store.ts";
import type { Visibility } from "../schema/access.ts";
import type { MemoryItem } from "../schema/memory.ts";
import { DEFAULT_WEIGHT, storedType } from "../schema/memory.ts";

/** The author of a write that names none: the agent of the credential, else this. */
const DEFAULT_AGENT = "mcp-agent";

/** What every item of a write shares. */
export interface WriteScope {
  readonly tenant_id: string;
  readonly agent_id: string;
  readonly fleet_id: string | null;
  readonly visibility: Visibility;
}

interface ScopeInput {
  readonly tenant_id: string;
  readonly agent_id?: string | null | undefined;
  readonly fleet_id?: string | null | undefined;
  readonly visibility?: Visibility | null | undefined;
}

/** Who writes for whom: the caller's own agent and fleet unless it may write for others. Throws when it may not. */
export function writeScope(ctx: Ctx, input: ScopeInput): WriteScope {
  const { principal } = ctx;
  requireTenant(ctx, input.tenant_id);
  requireTrust(ctx, 1, "write");
  requireOwnIdentity(ctx, input.agent_id);
  if (principal.agent_id !== null && input.fleet_id != null) requireFleets(ctx, [input.fleet_id], ADMINISTER);
  return {
    tenant_id: input.tenant_id,
    agent_id: input.agent_id ?? ctx.principal.agent_id ?? DEFAULT_AGENT,
    fleet_id: input.fleet_id ?? ctx.principal.fleet_id,
    visibility: input.visibility ?? "scope_team",
  };
}

/** Keys that only Cairn may set; a caller's copy is dropped so that nobody can pretend. */
const PLATFORM_KEYS = ["embedding_pending", "enrichment_pending", "_system"];

/** The row a write would store, before it has a vector. `ignored` names the fields of the request that mean nothing here. */
export function draftMemory(ctx: Ctx, scope: WriteScope, item: MemoryItem, ignored: readonly string[]): StoredMemory {
  return {
    id: newId(ctx.clock),
    ...scope,
    memory_type: storedType(item.memory_type ?? "fact"),
    title: null,
    content: item.content,
    weight: item.weight ?? DEFAULT_WEIGHT,
    source_uri: item.source_uri ?? null,
    run_id: item.run_id ?? null,
    metadata: callerMetadata(item),
    system_metadata: ignored.length > 0 ? { ignored_fields: [...ignored] } : null,
    entity_links: item.entity_links ?? [],
    content_hash: contentHash(scope.tenant_id, scope.fleet_id, item.content),
    created_at: toTimestamp(ctx.clock.now()),
    expires_at: item.expires_at ?? null,
    deleted_at: null,
    subject_entity_id: item.subject_entity_id ?? null,
    predicate: item.predicate ?? null,
    object_value: item.object_value ?? null,
    ts_valid_start: item.ts_valid_start ?? null,
    ts_valid_end: item.ts_valid_end ?? null,
    status: item.status ?? "active",
    recall_count: 0,
    last_recalled_at: null,
    supersedes_id: null,
    embedded_by: null,
  };
}

/** The caller's metadata, with `tags` folded in unless the metadata already has its own. */
function callerMetadata({ metadata, tags }: MemoryItem): JsonObject | null {
  if (!metadata && !tags) return null;
  return { ...(tags ? { tags } : {}), ...withoutPlatformKeys(metadata ?? {}) };
}

/** Metadata without the keys that only Cairn may set. */
export const withoutPlatformKeys = (metadata: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => !PLATFORM_KEYS.includes(key)));
