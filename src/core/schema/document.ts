import { z } from "zod";
import { countedText, FleetId, JsonRecord, TenantId, textOf, Version } from "./common.ts";
import { onePlace, Written } from "./places/place.ts";

export const COLLECTION_MAX = 200;
export const DOC_ID_MAX = 500;
export const DOCUMENT_LIST_MAX = 1_000;
export const DOCUMENT_SEARCH_MAX = 50;
/** Members that one query may compare. */
export const WHERE_MAX = 100;

export const Collection = countedText(1, COLLECTION_MAX);
/** A collection that callers change; those of Cairn's own are only read here. */
const CallersCollection = Collection.meta({ pattern: "^[^_]" });
export const DocId = countedText(1, DOC_ID_MAX);

const shape = {
  id: z.string(),
  tenant_id: z.string(),
  fleet_id: z.string().nullable(),
  collection: z.string(),
  doc_id: z.string(),
  data: JsonRecord,
  created_at: z.string().meta({ format: "date-time" }),
  updated_at: z.string().meta({ format: "date-time" }),
  version: Version,
};
export const Document = z.object(shape).meta({ id: "Document", description: "A JSON object under a key of its own." });
export type Document = z.infer<typeof Document>;

export const DocumentWritten = z
  .object({ ...shape, indexed: z.boolean().describe("Whether search reaches it: only with data.summary.") })
  .meta({ id: "DocumentWritten" });
export type DocumentWritten = z.infer<typeof DocumentWritten>;

export const DocumentWrite = z
  .object({
    ...Written,
    collection: CallersCollection.describe("Names that begin with _ belong to Cairn."),
    doc_id: DocId,
    data: JsonRecord.describe("Replaced as a whole. `summary` is what search embeds."),
  })
  .check(onePlace)
  .meta({ id: "DocumentWrite" });
export type DocumentWrite = z.infer<typeof DocumentWrite>;

export const DocumentPath = z.object({ doc_id: DocId.describe("The caller's doc_id, or the row's id.") });
export const DocumentAddressQuery = z.object({ tenant_id: TenantId, collection: Collection });
export const DocumentRemovalQuery = DocumentAddressQuery.extend({ collection: CallersCollection });
export const DocumentListQuery = z.object({
  tenant_id: TenantId,
  collection: Collection,
  fleet_id: FleetId.optional(),
  limit: z.int().min(1).max(DOCUMENT_LIST_MAX).default(50),
  offset: z.int().min(0).default(0),
});
export type DocumentListQuery = z.infer<typeof DocumentListQuery>;

export const DocumentQuery = z
  .object({
    tenant_id: TenantId,
    collection: Collection,
    where: JsonRecord.refine((where) => Object.keys(where).length <= WHERE_MAX, `At most ${WHERE_MAX} members`)
      .nullish()
      .describe("Top-level members of data that must be equal, value and type."),
    fleet_id: FleetId.nullish(),
    order_by: countedText(1, 200).nullish().describe("Member of data; sorts null, booleans, numbers, texts."),
    order: z.enum(["asc", "desc"]).default("asc"),
    limit: z.int().min(1).max(DOCUMENT_LIST_MAX).default(20),
    offset: z.int().min(0).default(0),
  })
  .meta({ id: "DocumentQuery" });
export type DocumentQuery = z.infer<typeof DocumentQuery>;

export const DocumentSearch = z
  .object({
    tenant_id: TenantId,
    query: textOf(z.string(), 1, 5_000),
    collection: Collection.nullish(),
    fleet_id: FleetId.nullish(),
    top_k: z.int().min(1).max(DOCUMENT_SEARCH_MAX).default(5),
  })
  .meta({ id: "DocumentSearch" });
export type DocumentSearch = z.infer<typeof DocumentSearch>;

export const DocumentHit = z
  .object({ collection: z.string(), doc_id: z.string(), data: JsonRecord, similarity: z.number(), score: z.number() })
  .meta({ id: "DocumentHit" });
export type DocumentHit = z.infer<typeof DocumentHit>;
export const DocumentFindings = z
  .object({
    collection: z.string().nullable(),
    count: z.int(),
    results: z.array(DocumentHit),
    items: z.array(DocumentHit),
  })
  .meta({ id: "DocumentFindings" });
export type DocumentFindings = z.infer<typeof DocumentFindings>;

export const CollectionsQuery = z.object({ tenant_id: TenantId, fleet_id: FleetId.optional() });
export const Collections = z
  .object({ collections: z.array(z.object({ name: z.string(), count: z.int() })), count: z.int() })
  .meta({ id: "Collections" });
export type Collections = z.infer<typeof Collections>;
