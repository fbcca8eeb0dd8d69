import { requireTenant } from "../access/tenant.ts";
import { ADMINISTER, requireFleets, requireOwnIdentity, requireSharedWriter, requireTrust } from "../access/trust.ts";
import { toTimestamp } from "../core/kernel/clock.ts";
import { contentHash } from "../core/kernel/hash.ts";
import { newId } from "../core/kernel/ids.ts";
import type { JsonObject } from "../core/kernel/json.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import type { Visibility } from "../core/schema/access.ts";
import type { MemoryItem } from "../core/schema/memory.ts";
import { storedType } from "../core/schema/memory.ts";
import { fleetMeant } from "../core/schema/projects/registry.ts";
import type { GivenFields } from "./infer.ts";
import { inferOpen } from "./infer.ts";

/** The author of a write that names none: the agent of the credential, else this. */
export const DEFAULT_AGENT = "default-agent";

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
  readonly no_fleet?: boolean | null | undefined;
  readonly visibility?: Visibility | null | undefined;
}

/**
 * Who writes for whom: the caller's own agent and fleet unless it may write for others; what is written for a named agent goes
 * to that agent's home, and what is for no fleet to none. Throws when the caller may not.
 */
export async function writeScope(ctx: Ctx, input: ScopeInput): Promise<WriteScope> {
  const { principal } = ctx;
  requireTenant(ctx, input.tenant_id);
  requireTrust(ctx, 1, "write");
  await requireOwnIdentity(ctx, input.agent_id);
  if (principal.agent_id !== null && input.fleet_id != null) requireFleets(ctx, [input.fleet_id], ADMINISTER);
  const no_fleet = input.no_fleet ?? false;
  if (no_fleet) requireSharedWriter(ctx);
  return {
    tenant_id: input.tenant_id,
    agent_id: input.agent_id ?? ctx.principal.agent_id ?? DEFAULT_AGENT,
    fleet_id: no_fleet ? null : (input.fleet_id ?? (await homeOf(ctx, input.agent_id)) ?? principal.fleet_id),
    visibility: input.visibility ?? (no_fleet ? "scope_org" : "scope_team"),
  };
}

/** The home fleet of an agent that a credential of no agent names; null for none. */
async function homeOf({ principal, storage }: Ctx, agent_id: string | null | undefined): Promise<string | null> {
  if (principal.agent_id !== null || principal.tenant_id === null || agent_id == null) return null;
  const home = (await storage.agents.get(principal.tenant_id, agent_id))?.fleet_id ?? null;
  return home && fleetMeant(await storage.projects.registry(principal.tenant_id), home);
}

/** Keys that only Cairn may set; a caller's copy is dropped so that nobody can pretend. */
const PLATFORM_KEYS = ["embedding_pending", "enrichment_pending", "_system"];

/**
 * The row a write would store, before it has a vector; what the caller leaves open is read from the text. `ignored` names
 * the fields of the request that mean nothing here.
 */
export function draftMemory(ctx: Ctx, scope: WriteScope, item: MemoryItem, ignored: readonly string[]): StoredMemory {
  const now = ctx.clock.now();
  const reference = item.reference_datetime ? Date.parse(item.reference_datetime) : now;
  const { fields, told } = inferOpen(item.content, givenFields(item), reference);
  return {
    id: newId(ctx.clock),
    ...scope,
    ...fields,
    content: item.content,
    source_uri: item.source_uri ?? null,
    run_id: item.run_id ?? null,
    metadata: callerMetadata(item),
    system_metadata: {
      ...told,
      ...(item.reference_datetime ? { reference_datetime: item.reference_datetime } : {}),
      ...(ignored.length > 0 ? { ignored_fields: [...ignored] } : {}),
    },
    entity_links: item.entity_links ?? [],
    content_hash: contentHash(scope.tenant_id, scope.fleet_id, item.content),
    created_at: toTimestamp(now),
    expires_at: item.expires_at ?? null,
    deleted_at: null,
    subject_entity_id: item.subject_entity_id ?? null,
    predicate: item.predicate ?? null,
    object_value: item.object_value ?? null,
    recall_count: 0,
    last_recalled_at: null,
    supersedes_id: null,
    embedded_by: null,
  };
}

/** A field that a write leaves out or sends as null is open. */
const givenFields = (item: MemoryItem): GivenFields => ({
  memory_type: item.memory_type ? storedType(item.memory_type) : undefined,
  weight: item.weight ?? undefined,
  status: item.status ?? undefined,
  ts_valid_start: item.ts_valid_start ?? undefined,
  ts_valid_end: item.ts_valid_end ?? undefined,
});

/** The caller's metadata, with `tags` folded in unless the metadata already has its own. */
function callerMetadata({ metadata, tags }: MemoryItem): JsonObject | null {
  const own = metadata ? withoutPlatformKeys(metadata) : null;
  return tags ? { tags, ...own } : own;
}

/** Metadata without the keys that only Cairn may set. */
export function withoutPlatformKeys(metadata: JsonObject): JsonObject {
  if (!PLATFORM_KEYS.some((key) => Object.hasOwn(metadata, key))) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !PLATFORM_KEYS.includes(key)));
}
