import { sha256 } from "../../core/kernel/hash.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import { canonicalJson } from "../../core/kernel/json.ts";
import type { DocumentChange, StoredDocument } from "../../core/ports/document-store.ts";

/** What happened to a document. */
export interface DocumentEvent extends Partial<Pick<DocumentChange, "reason" | "shown">> {
  readonly action: string;
  readonly at: string;
  readonly before: StoredDocument | null;
  readonly after: StoredDocument | null;
}

/**
 * The audit row of a document's change: it names the document and the hashes of what it held, and its fleets when it moved;
 * of what it held only the members that are to be shown.
 */
export function documentEvent(
  { tenant_id, collection, doc_id }: StoredDocument,
  { action, at, before, after, reason = "", shown = [] }: DocumentEvent,
) {
  const hasMoved = before !== null && after !== null && before.fleet_id !== after.fleet_id;
  const noted = (document: StoredDocument | null): JsonObject | null =>
    document && {
      data_hash: sha256(canonicalJson(document.data)),
      ...(hasMoved ? { fleet_id: document.fleet_id } : {}),
      ...(document.approval ? { approval: document.approval.way } : {}),
      ...picked(document.data, shown),
    };
  return {
    tenant_id,
    at,
    action,
    target_id: `${collection}/${doc_id}`,
    before: noted(before),
    after: noted(after),
    reason: reason === "" ? null : reason,
  };
}

const picked = (data: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));
