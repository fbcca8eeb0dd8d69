import { requireWhereFits } from "../access/body-limits.ts";
import { ACTIVE, isVisibleSkill, skillVisibility } from "../access/skill-visibility.ts";
import { requireTenant } from "../access/tenant.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { DocumentKey, DocumentPage, StoredDocument } from "../core/ports/document-store.ts";
import type { Page } from "../core/ports/page.ts";
import type { Collections, Document, DocumentListQuery, DocumentQuery } from "../core/schema/document.ts";
import { hasPlaces } from "../core/schema/keystones/names.ts";
import { noSuchDocument, toDocumentView } from "./view.ts";

/** One document by doc_id, else by the row's id. Throws NOT_FOUND, also for a skill that the caller does not see. */
export async function getDocument(ctx: Ctx, key: DocumentKey): Promise<Document> {
  requireTenant(ctx, key.tenant_id);
  const document = (await ctx.storage.documents.get(key)) ?? (await firstNamed(ctx, key));
  if (!document || !isVisibleSkill(await skillVisibility(ctx, document.collection), document)) throw noSuchDocument();
  return toDocumentView(document);
}

/** Of a name that stands in several places the first one there is. */
async function firstNamed({ storage }: Ctx, key: DocumentKey): Promise<StoredDocument | null> {
  const [first = null] = hasPlaces(key.collection) ? await storage.documents.namesakes(key) : [];
  return first;
}

/** Documents of a collection, newest change first. */
export async function listDocuments(ctx: Ctx, query: DocumentListQuery): Promise<Page<Document>> {
  const { tenant_id, collection, fleet_id, limit, offset } = query;
  requireTenant(ctx, tenant_id);
  return listInSight(ctx, { filter: { tenant_id, collection, fleet_id }, order: "desc", limit, offset });
}

/** Documents whose named members are equal, value and type; it needs no embedding and reaches every document. */
export async function queryDocuments(ctx: Ctx, query: DocumentQuery): Promise<Page<Document>> {
  const { tenant_id, collection, order, limit, offset } = query;
  requireTenant(ctx, tenant_id);
  requireWhereFits(ctx, query.where);
  const filter = { tenant_id, collection, fleet_id: query.fleet_id ?? undefined, where: query.where ?? undefined };
  return listInSight(ctx, { filter, order_by: query.order_by ?? undefined, order, limit, offset });
}

/** Asked for any other status, who sees only active skills finds none. */
async function listInSight(ctx: Ctx, page: DocumentPage): Promise<Page<Document>> {
  const { filter } = page;
  const skill_visibility = await skillVisibility(ctx, filter.collection);
  const asked = filter.where?.status;
  if (skill_visibility && asked !== undefined && asked !== ACTIVE) return { items: [], more: false };
  const where = skill_visibility ? { ...filter.where, status: ACTIVE } : filter.where;
  const bytes = ctx.limits.reply_bytes_limit;
  const { items, more } = await ctx.storage.documents.page({
    ...page,
    bytes,
    filter: { ...filter, where, skill_visibility },
  });
  return { items: items.map(toDocumentView), more };
}

/** Collections that hold documents, by name, with their sizes. */
export async function listCollections(
  ctx: Ctx,
  { tenant_id, fleet_id }: { tenant_id: string; fleet_id?: string | undefined },
): Promise<Collections> {
  requireTenant(ctx, tenant_id);
  const skill_visibility = await skillVisibility(ctx, null);
  const collections = await ctx.storage.documents.collections(tenant_id, fleet_id ?? null, skill_visibility);
  return { collections, count: collections.length };
}
