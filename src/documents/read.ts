import { requireTenant } from "../access/tenant.ts";
import type { Ctx } from "../ports/context.ts";
import type { DocumentKey } from "../ports/document-store.ts";
import type { Collections, Document, DocumentListQuery, DocumentQuery } from "../schema/document.ts";
import { noSuchDocument, toDocumentView } from "./view.ts";

/** One document by doc_id, else by the row's id. Throws NOT_FOUND. */
export async function getDocument(ctx: Ctx, key: DocumentKey): Promise<Document> {
  requireTenant(ctx, key.tenant_id);
  const document = await ctx.storage.documents.get(key);
  if (!document) throw noSuchDocument();
  return toDocumentView(document);
}

/** Documents of a collection, newest change first. */
export async function listDocuments(ctx: Ctx, query: DocumentListQuery): Promise<Document[]> {
  const { tenant_id, collection, fleet_id, limit, offset } = query;
  requireTenant(ctx, tenant_id);
  const page = { filter: { tenant_id, collection, fleet_id }, order: "desc", limit, offset } as const;
  return (await ctx.storage.documents.list(page)).map(toDocumentView);
}

/** Documents whose named members are equal, value and type; it needs no embedding and reaches every document. */
export async function queryDocuments(ctx: Ctx, query: DocumentQuery): Promise<Document[]> {
  const { tenant_id, collection, order, limit, offset } = query;
  requireTenant(ctx, tenant_id);
  const filter = { tenant_id, collection, fleet_id: query.fleet_id ?? undefined, where: query.where ?? undefined };
  const page = { filter, order_by: query.order_by ?? undefined, order, limit, offset };
  return (await ctx.storage.documents.list(page)).map(toDocumentView);
}

/** Collections that hold documents, by name, with their sizes. */
export async function listCollections(
  ctx: Ctx,
  { tenant_id, fleet_id }: { tenant_id: string; fleet_id?: string | undefined },
): Promise<Collections> {
  requireTenant(ctx, tenant_id);
  const collections = await ctx.storage.documents.collections(tenant_id, fleet_id ?? null);
  return { collections, count: collections.length };
}
