import { z } from "zod";
import { ImportQuery, ImportRequest, ImportResult, ImportState } from "../../core/schema/keeping/import.ts";
import { ExportQuery } from "../../core/schema/keeping/transfer.ts";
import { exportTenant } from "../../transfer/export.ts";
import { importRecords, importState } from "../../transfer/import.ts";
import type { Operation } from "../operation.ts";
import { operation, Streamed } from "../operation.ts";

const tag = "System";

export const transferOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path: "/api/v1/export",
    id: "exportTenant",
    tag,
    summary: "Everything of the tenant as JSON Lines, as of one moment",
    description:
      "For administrators. The first line names the format, each further one is a record, the last one (`end`) counts them: without it the rest is missing. Left out are keys, deleted memories and the audit log.",
    query: ExportQuery,
    replyType: "application/x-ndjson",
    reply: z
      .looseObject({ record: z.string().describe("What it is: `export`, `memory`, `document`, ..., `end`.") })
      .meta({ id: "ExportLine", description: "One line of an export; docs/import-export.md lists its members." }),
    statuses: [200],
    refusals: ["ADMIN_REQUIRED", "CONFLICT"],
    run: async (ctx, { query }) => new Streamed(exportTenant(ctx, query)),
  }),
  operation({
    method: "POST",
    path: "/api/v1/import",
    id: "importRecords",
    tag,
    summary: "Store records as they are, dates and authors included",
    description:
      "For administrators. One transaction a request; what is there stays, so that a request may be repeated. With `source` and `position` the server remembers how far a source is stored. Settings, agents, keystones and skills come only with `trust_source`, from a person who knows who wrote them.",
    rate: "bulk",
    changes: ["imports", "memories", "documents", "entities", "conflicts", "skills", "access", "settings"],
    body: ImportRequest,
    itemsApart: "records",
    reply: ImportResult,
    statuses: [200],
    refusals: ["ADMIN_REQUIRED", "PERSON_REQUIRED"],
    run: (ctx, { body, refused }) => importRecords(ctx, body, { refused }),
  }),
  operation({
    method: "GET",
    path: "/api/v1/import",
    id: "getImport",
    tag,
    summary: "How far a source is imported",
    description: "For administrators.",
    query: ImportQuery,
    reply: ImportState,
    statuses: [200],
    refusals: ["ADMIN_REQUIRED"],
    run: (ctx, { query }) => importState(ctx, query),
  }),
];
