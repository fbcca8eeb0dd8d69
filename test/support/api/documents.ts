import { z } from "zod";
import { KeyMinted } from "../../../src/core/schema/account.ts";
import { Collections, Document, DocumentFindings, DocumentWritten } from "../../../src/core/schema/document.ts";
import { TENANT } from "../builders.ts";
import type { CallOptions, Client, Reply } from "./client.ts";

export const DOCUMENTS = "/api/v1/documents";

type Fields = Readonly<Record<string, unknown>>;
type Query = NonNullable<CallOptions["query"]>;

/** The calls of documents, each expected to succeed. */
export interface DocumentsApi {
  put(collection: string, doc_id: string, data: Fields, fields?: Fields): Promise<DocumentWritten>;
  get(collection: string, doc_id: string): Promise<Document>;
  list(collection: string, query?: Query): Promise<Document[]>;
  query(collection: string, where?: Fields, fields?: Fields): Promise<Document[]>;
  search(query: string, fields?: Fields): Promise<DocumentFindings>;
  collections(query?: Query): Promise<Collections>;
  remove(collection: string, doc_id: string): Promise<Reply>;
}

/** The address of one document. */
export const documentPath = (doc_id: string): string => `${DOCUMENTS}/${encodeURIComponent(doc_id)}`;

export function documentsApi(client: Client, tenant_id = TENANT): DocumentsApi {
  const post = <T>(schema: z.ZodType<T>, path: string, body: Fields) =>
    client.ok(schema, "POST", path, { body: { tenant_id, ...body } });
  return {
    put: (collection, doc_id, data, fields) =>
      post(DocumentWritten, DOCUMENTS, { collection, doc_id, data, ...fields }),
    get: (collection, doc_id) => client.ok(Document, "GET", documentPath(doc_id), { query: { tenant_id, collection } }),
    list: (collection, query) =>
      client.ok(z.array(Document), "GET", DOCUMENTS, { query: { tenant_id, collection, ...query } }),
    query: (collection, where, fields) =>
      post(z.array(Document), `${DOCUMENTS}/query`, { collection, where, ...fields }),
    search: (query, fields) => post(DocumentFindings, `${DOCUMENTS}/search`, { query, ...fields }),
    collections: (query) =>
      client.ok(Collections, "GET", `${DOCUMENTS}/collections`, { query: { tenant_id, ...query } }),
    remove: (collection, doc_id) => client.call("DELETE", documentPath(doc_id), { query: { tenant_id, collection } }),
  };
}

export const docIdsOf = (rows: readonly { readonly doc_id: string }[]): string[] => rows.map(({ doc_id }) => doc_id);

/** The same server, called with a key minted for this caller. */
export async function withKey(client: Client, fields: Fields): Promise<Client> {
  const { raw_key } = await client.ok(KeyMinted, "POST", "/api/v1/keys", { body: fields });
  return client.as({ "X-API-Key": raw_key });
}
