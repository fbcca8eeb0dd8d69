import { AppError } from "../core/kernel/errors.ts";
import type { StoredDocument } from "../core/ports/document-store.ts";
import type { Document } from "../core/schema/document.ts";

/** A document as replies show it. */
export function toDocumentView(stored: StoredDocument): Document {
  const { summary: _summary, embedded_by: _embedded, approval: _approval, ...shown } = stored;
  return shown;
}

/** The refusal for a document that does not exist, or not for this caller. */
export const noSuchDocument = (): AppError => new AppError("NOT_FOUND", "Document not found.");
