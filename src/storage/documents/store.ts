import type { Clock } from "../../core/kernel/clock.ts";
import type { DocumentStore } from "../../core/ports/document-store.ts";
import { staleRows } from "../common/stale.ts";
import type { Runner } from "../units/work.ts";
import {
  dataOfDocuments,
  findDocument,
  listCollections,
  listDocuments,
  namesakesOf,
  pageOfDocuments,
  toDocument,
  unreadDocuments,
} from "./read.ts";
import { fillVectors, removeDocument, upsertDocument } from "./write.ts";

/** The document store; each engine searches in its own way. */
export function documentStore(
  { look, snapshot, write }: Runner,
  clock: Clock,
  hits: DocumentStore["hits"],
): DocumentStore {
  return {
    hits,
    upsert: (key, actor, decide) =>
      write(key.tenant_id, function* (work) {
        const { before, after } = yield* upsertDocument(work, { clock, actor }, key, decide);
        return { before, after };
      }),
    remove: (key, actor, decide) => write(key.tenant_id, (work) => removeDocument(work, { clock, actor }, key, decide)),
    get: (key) =>
      look(function* () {
        const found = yield* findDocument(key);
        return found && toDocument(found);
      }),
    namesakes: (key) => look(() => namesakesOf(key)),
    list: (page) => look((work) => listDocuments(work, page)),
    page: (page) => snapshot((work) => pageOfDocuments(work, page)),
    dataOf: (tenant_id, wanted) => snapshot((work) => dataOfDocuments(work, tenant_id, wanted)),
    collections: (tenant_id, fleet_id, skill_visibility) =>
      look((work) => listCollections(work, { tenant_id, fleet_id, skill_visibility })),
    pending: (tenant_id, ids, embedder_id) => look((work) => unreadDocuments(work, tenant_id, ids, embedder_id)),
    stale: (asked) => look((work) => staleRows(work, "documents", asked)),
    fillVectors: (tenant_id, vectors) => write(tenant_id, (work) => fillVectors(work, vectors)),
  };
}
