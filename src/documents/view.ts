import { documentVersion, requireVersion } from "../access/versions.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { StoredDocument } from "../core/ports/document-store.ts";
import type { Expected } from "../core/schema/common.ts";
import type { Document } from "../core/schema/document.ts";
import { shownName } from "../core/schema/keystones/names.ts";

/** A document as replies show it. */
export function toDocumentView(stored: StoredDocument): Document {
  const { summary: _summary, embedded_by: _embedded, approval: _approval, ...shown } = stored;
  return { ...shown, doc_id: shownName(stored), version: documentVersion(stored) };
}

/** The state that the caller takes a document to be in is still its state. Throws PRECONDITION_FAILED with the document. */
export function requireAsSeen({ if_match }: Expected, document: StoredDocument | null): void {
  if (if_match !== undefined) requireVersion(if_match, document && toDocumentView(document));
}

/** The refusal for a document that does not exist, or not for this caller. */
export const noSuchDocument = (): AppError => new AppError("NOT_FOUND", "Document not found.");
