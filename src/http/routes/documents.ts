import { z } from "zod";
import { IfMatchHeaders } from "../../core/schema/common.ts";
import {
  Collections,
  CollectionsQuery,
  Document,
  DocumentAddressQuery,
  DocumentFindings,
  DocumentListQuery,
  DocumentPath,
  DocumentQuery,
  DocumentRemovalQuery,
  DocumentSearch,
  DocumentWrite,
  DocumentWritten,
} from "../../core/schema/document.ts";
import { getDocument, listCollections, listDocuments, queryDocuments } from "../../documents/read.ts";
import { searchDocuments } from "../../documents/search.ts";
import { removeDocument } from "../../documents/write.ts";
import { storeDocument } from "../../skills/lifecycle/write.ts";
import type { Operation } from "../operation.ts";
import { operation, withHeaders } from "../operation.ts";
import { PAGED, paged, TRUNCATED } from "../paged.ts";

const tag = "Documents";
const path = "/api/v1/documents";

export const documentOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path,
    id: "writeDocument",
    tag,
    summary: "Write a document under its key",
    description:
      "Replaces what was there. With data.summary it is found by search; without, by key, list and query. " +
      "Collection `skills` has rules of its own once the skill factory is on.",
    rate: "write",
    changes: ["documents", "skills"],
    idempotent: true,
    headers: IfMatchHeaders,
    body: DocumentWrite,
    reply: DocumentWritten,
    versioned: true,
    statuses: [200],
    refusals: [
      "TENANT_MISMATCH",
      "AGENT_TRUST_TOO_LOW",
      "AGENT_IDENTITY_MISMATCH",
      "FLEET_SCOPE_FORBIDDEN",
      "FORBIDDEN",
      "NOT_FOUND",
      "CONFLICT",
      "PRECONDITION_FAILED",
      "PLAN_LIMIT_READ_ONLY",
    ],
    run: (ctx, { headers, body }) => storeDocument(ctx, { ...body, if_match: headers["if-match"] }),
  }),
  operation({
    method: "GET",
    path,
    id: "listDocuments",
    tag,
    summary: "List a collection, newest change first",
    description: PAGED,
    query: DocumentListQuery,
    reply: z.array(Document),
    statuses: [200],
    refusals: ["TENANT_MISMATCH"],
    run: async (ctx, { query }) => paged(await listDocuments(ctx, query), query),
  }),
  operation({
    method: "GET",
    path: `${path}/collections`,
    id: "listCollections",
    tag,
    summary: "Collections with their sizes",
    query: CollectionsQuery,
    reply: Collections,
    statuses: [200],
    refusals: ["TENANT_MISMATCH"],
    run: (ctx, { query }) => listCollections(ctx, query),
  }),
  operation({
    method: "POST",
    path: `${path}/search`,
    id: "searchDocuments",
    tag,
    summary: "Find documents by meaning and keyword",
    description: "The header X-Truncated says when not all that was found fits into one reply.",
    rate: "search",
    body: DocumentSearch,
    reply: DocumentFindings,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "BAD_REQUEST"],
    run: async (ctx, { body }) => {
      const { findings, isCut } = await searchDocuments(ctx, body);
      return isCut ? withHeaders(findings, TRUNCATED) : findings;
    },
  }),
  operation({
    method: "POST",
    path: `${path}/query`,
    id: "queryDocuments",
    tag,
    summary: "Find documents by equal members of data",
    description: PAGED,
    rate: "search",
    body: DocumentQuery,
    reply: z.array(Document),
    statuses: [200],
    refusals: ["TENANT_MISMATCH"],
    run: async (ctx, { body }) => paged(await queryDocuments(ctx, body), body),
  }),
  operation({
    method: "GET",
    path: `${path}/{doc_id}`,
    id: "getDocument",
    tag,
    summary: "Read one document by doc_id or id",
    description: "A slash in doc_id is written %2F.",
    params: DocumentPath,
    query: DocumentAddressQuery,
    reply: Document,
    versioned: true,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "NOT_FOUND"],
    run: (ctx, { params, query }) => getDocument(ctx, { ...query, ...params }),
  }),
  operation({
    method: "DELETE",
    path: `${path}/{doc_id}`,
    id: "removeDocument",
    tag,
    summary: "Delete one document by doc_id or id",
    rate: "write",
    changes: ["documents", "skills"],
    params: DocumentPath,
    headers: IfMatchHeaders,
    query: DocumentRemovalQuery,
    reply: null,
    statuses: [204],
    refusals: ["TENANT_MISMATCH", "AGENT_TRUST_TOO_LOW", "FLEET_SCOPE_FORBIDDEN", "NOT_FOUND", "PRECONDITION_FAILED"],
    run: async (ctx, { params, query, headers }) => {
      await removeDocument(ctx, { ...query, ...params, if_match: headers["if-match"] });
      return undefined;
    },
  }),
];
