import { actorOf } from "../access/actor.ts";
import { requireMetadataFits } from "../access/body-limits.ts";
import { readScopeOf } from "../access/read-scope.ts";
import { requireFleetOfWriter } from "../access/trust.ts";
import { AppError } from "../core/kernel/errors.ts";
import { nameId } from "../core/kernel/ids.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { EntityPage } from "../core/ports/entity-store.ts";
import type { EntityChangeBody, EntityDetail, EntityMergeBody } from "../core/schema/entity.ts";
import { nameKey } from "../text/names/name-key.ts";
import { noSuchEntity, toEntityDetail } from "./view.ts";
import { keyOf, requireWriter } from "./write.ts";

/** What is sent about one entity. */
interface Sent<Body> {
  readonly entity_id: string;
  readonly body: Body;
}

/**
 * Renames or retypes an entity. Throws NOT_FOUND when the caller does not see it, and CONFLICT for a name of another one or where others
 * would be told of what is private.
 */
export async function changeEntity(ctx: Ctx, { entity_id, body }: Sent<EntityChangeBody>): Promise<EntityDetail> {
  requireWriter(ctx, body);
  const { canonical_name, entity_type = null, aliases = [] } = body;
  const name =
    canonical_name === undefined
      ? null
      : { name: canonical_name, key: keyOf(canonical_name, ["body", "canonical_name"]) };
  const isSeen = await ctx.storage.entities.rename(
    {
      ...changing(ctx, entity_id),
      name,
      entity_type,
      aliases: aliases.map((alias, i) => ({ name: alias, key: keyOf(alias, ["body", "aliases", i]) })),
    },
    actorOf(ctx),
  );
  if (!isSeen) throw noSuchEntity();
  return detailOf(ctx, entity_id);
}

/**
 * Makes another entity a part of this one. Throws NOT_FOUND when the caller does not see both, CONFLICT where somebody would be told of a
 * name, and FLEET_SCOPE_FORBIDDEN where the caller may not change what a fleet entered.
 */
export async function mergeEntities(ctx: Ctx, { entity_id, body }: Sent<EntityMergeBody>): Promise<EntityDetail> {
  requireWriter(ctx, body);
  const { from_id } = body;
  if (from_id === entity_id) {
    throw new AppError("INVALID_ARGUMENTS", "An entity is no part of itself.", { loc: ["body", "from_id"] });
  }
  const merge = {
    ...changing(ctx, entity_id),
    from_id,
    requireFit: (merged: EntityPage["attributes"]) => requireMetadataFits(ctx, merged, "attributes"),
  };
  const isSeen = await ctx.storage.entities.merge(merge, actorOf(ctx));
  if (!isSeen) throw await notMerged(ctx, entity_id, from_id);
  return detailOf(ctx, entity_id);
}

const changing = (ctx: Ctx, id: string) => {
  const read_scope = readScopeOf(ctx);
  const requireFleet = (fleet_id: string) => requireFleetOfWriter(ctx, fleet_id);
  return { tenant_id: read_scope.tenant_id, id, read_scope, requireFleet };
};

const pageOf = (ctx: Ctx, id: string): Promise<EntityPage | null> => {
  const read_scope = readScopeOf(ctx);
  return ctx.storage.entities.get({ tenant_id: read_scope.tenant_id, id }, read_scope);
};

async function detailOf(ctx: Ctx, id: string): Promise<EntityDetail> {
  const page = await pageOf(ctx, id);
  if (!page) throw noSuchEntity();
  return toEntityDetail(page);
}

/** What was merged before is told to those who see it among the other names of the one it went into: ids are made of names. */
async function notMerged(ctx: Ctx, id: string, from_id: string): Promise<AppError> {
  const into = await pageOf(ctx, id);
  const isPart = into?.aliases.some((alias) => nameId(["entity", into.tenant_id, nameKey(alias)]) === from_id);
  return isPart ? new AppError("NOT_FOUND", "No such entity: it is part of this one already.") : noSuchEntity();
}
