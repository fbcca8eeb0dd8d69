import { actorOf } from "../access/actor.ts";
import { requireMetadataFits } from "../access/body-limits.ts";
import { readScopeOf } from "../access/read-scope.ts";
import { requireTenant } from "../access/tenant.ts";
import { requireFleetOfWriter, requireSharedWriter, requireTrust } from "../access/trust.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { StoredEntity } from "../core/ports/entity-store.ts";
import type { ReadScope } from "../core/ports/memory-filter.ts";
import type { Entity, EntityUpsert, Relation, RelationUpsert } from "../core/schema/entity.ts";
import { nameKey } from "../text/names/name-key.ts";
import { noSuchEntity, toEntityView, toRelationView } from "./view.ts";

/** Enters an entity for a fleet or for all, or changes what was entered so of that name. Throws INVALID_ARGUMENTS for a name without letters and digits. */
export async function upsertEntity(ctx: Ctx, body: EntityUpsert): Promise<Entity> {
  requireWriter(ctx, body);
  const { tenant_id, entity_type, canonical_name, attributes } = body;
  requireMetadataFits(ctx, attributes ?? null, "attributes");
  const entity = await ctx.storage.entities.upsert(
    {
      tenant_id,
      fleet_id: body.fleet_id ?? null,
      home: ctx.principal.fleet_id,
      entity_type,
      canonical_name,
      key: keyOf(canonical_name, ["body", "canonical_name"]),
      attributes: attributes ?? null,
      requireFit: (merged) => requireMetadataFits(ctx, merged, "attributes"),
      aliases: (body.aliases ?? []).map((name, i) => ({ name, key: keyOf(name, ["body", "aliases", i]) })),
    },
    actorOf(ctx),
    () => requireSharedWriter(ctx),
  );
  const read_scope = readScopeOf(ctx);
  const page = await ctx.storage.entities.get({ tenant_id, id: entity.id }, read_scope);
  const memory_count = page?.memory_count ?? 0;
  if (readsFleet(read_scope, entity)) return toEntityView({ ...entity, memory_count });
  // Who enters something for a fleet that it does not read is told its own words alone.
  const own = { attributes: attributes ?? null, created_at: entity.updated_at };
  return toEntityView({ ...entity, ...own, memory_count });
}

const readsFleet = ({ fleets }: ReadScope, { fleet_id }: StoredEntity): boolean =>
  fleet_id === null || fleets === "all" || fleets.includes(fleet_id);

/** The key of a name that was sent. Throws INVALID_ARGUMENTS for one without letters and digits. */
export function keyOf(name: string, loc: readonly (string | number)[]): string {
  const key = nameKey(name);
  if (key === "") throw new AppError("INVALID_ARGUMENTS", "A name needs at least one letter or digit.", { loc });
  return key;
}

/**
 * Enters how two entities are related, for a fleet or for all, or changes it. Throws NOT_FOUND when the caller does not see both, and when it does
 * not see the memory that it names as evidence.
 */
export async function upsertRelation(ctx: Ctx, body: RelationUpsert): Promise<Relation> {
  requireWriter(ctx, body);
  const { tenant_id, from_entity_id, to_entity_id, relation_type, weight } = body;
  const { entities } = ctx.storage;
  await requireSeen(ctx, [from_entity_id, to_entity_id]);
  const evidence_memory_id = body.evidence_memory_id ?? null;
  if (evidence_memory_id !== null && !(await seesMemory(ctx, evidence_memory_id))) {
    throw new AppError("NOT_FOUND", "No such memory.");
  }
  const stored = await entities.relate(
    {
      tenant_id,
      fleet_id: body.fleet_id ?? null,
      home: ctx.principal.fleet_id,
      from_entity_id,
      relation_type,
      to_entity_id,
      weight: weight ?? 1,
      evidence_memory_id,
    },
    actorOf(ctx),
    () => requireSharedWriter(ctx),
  );
  const evidence = stored.evidence_memory_id;
  const isShown = evidence !== null && (await seesMemory(ctx, evidence));
  return toRelationView({ ...stored, evidence_memory_id: isShown ? evidence : null });
}

const seesMemory = async (ctx: Ctx, id: string): Promise<boolean> =>
  (await ctx.storage.memories.get({ tenant_id: requireTenant(ctx), id }, readScopeOf(ctx))) !== null;

async function requireSeen(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const known = await ctx.storage.entities.describe(readScopeOf(ctx), { ids, bytes: 0 });
  if (!ids.every((id) => known.some((entity) => entity.id === id))) throw noSuchEntity();
}

/** An agent writes for its own fleet, and with the trust to write. */
export function requireWriter(
  ctx: Ctx,
  { tenant_id, fleet_id }: { tenant_id: string; fleet_id?: string | null | undefined },
): void {
  requireTenant(ctx, tenant_id);
  requireTrust(ctx, 1, "write entities");
  requireFleetOfWriter(ctx, fleet_id);
}
