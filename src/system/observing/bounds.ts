import { storedFor } from "../../access/counted.ts";
import { skillVisibility } from "../../access/skill-visibility.ts";
import { requireTenant } from "../../access/tenant.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { Bounds } from "../../core/schema/observing/bounds.ts";

/** Bounds that only the edge knows. */
export type EdgeBounds = Pick<Bounds["sizes"], "body_bytes" | "body_depth"> & { readonly streams: Bounds["streams"] };

/** What bounds a caller: those of the server, and those of its tenant with what is used of them. */
export async function describeBounds(ctx: Ctx, { streams, ...edge }: EdgeBounds): Promise<Bounds> {
  const tenant_id = requireTenant(ctx);
  const { limits, principal } = ctx;
  return {
    rates: { ...limits.rates },
    memories: { limit: limits.memories_limit, used: await storedFor(ctx, tenant_id) },
    documents: { limit: limits.documents_limit, used: await documentsFor(ctx, tenant_id) },
    sizes: {
      ...edge,
      body_values: limits.body_values_limit,
      document_bytes: limits.document_bytes_limit,
      metadata_bytes: limits.metadata_bytes_limit,
      members: limits.members_limit,
      where_values: limits.where_nodes_limit,
      reply_bytes: limits.reply_bytes_limit,
    },
    streams,
    server: principal.owner ? { requests: limits.requests_limit, connections: limits.connections_limit } : null,
  };
}

/** Documents that the caller may see. */
async function documentsFor(ctx: Ctx, tenant_id: string): Promise<number> {
  const collections = await ctx.storage.documents.collections(tenant_id, null, await skillVisibility(ctx, null));
  return collections.reduce((sum, { count }) => sum + count, 0);
}
