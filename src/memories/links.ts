import { readScopeOf } from "../access/read-scope.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { EntityLink } from "../core/schema/memory.ts";

type Links = readonly EntityLink[] | null | undefined;

/** Why a link is refused; the same words for an entity of another tenant and one that must not be seen. */
export const HIDDEN_ENTITY = "This entity is not one that the caller sees.";

/** Which of the links of several writes name entities that the writer does not see: of another tenant, or private to others. */
export async function hiddenLinks(
  ctx: Ctx,
  agent_id: string | null,
  links: readonly Links[],
): Promise<ReadonlySet<string>> {
  const ids = new Set(links.flatMap((one) => (one ?? []).map(({ entity_id }) => entity_id)));
  return new Set(ids.size === 0 ? [] : await ctx.storage.entities.hidden(readScopeOf(ctx, agent_id), [...ids]));
}

/** Throws INVALID_ARGUMENTS when a link names an entity that the writer does not see. */
export async function requireVisibleLinks(ctx: Ctx, agent_id: string | null, links: Links): Promise<void> {
  const hidden = await hiddenLinks(ctx, agent_id, [links]);
  const index = (links ?? []).findIndex(({ entity_id }) => hidden.has(entity_id));
  if (index >= 0)
    throw new AppError("INVALID_ARGUMENTS", HIDDEN_ENTITY, { loc: ["body", "entity_links", index, "entity_id"] });
}
