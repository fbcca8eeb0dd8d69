import { call } from "../../api/call.ts";
import { CallProblem } from "../../api/problem.ts";
import { shownFleet } from "../../api/projects.ts";
import type { Document, DocumentWrite } from "../../api/schemas.gen.ts";
import { toast } from "../../kit/toast.tsx";

/** The document under a key; null where there is none, or none that the caller sees. Throws CallProblem. */
async function findDocument(collection: string, doc_id: string): Promise<Document | null> {
  try {
    const found = await call("getDocument", { path: { doc_id }, query: { collection } });
    // The id of a row is an address, too.
    return found.doc_id === doc_id ? found : null;
  } catch (error) {
    if (error instanceof CallProblem && error.status === 404) return null;
    throw error;
  }
}

/** Writes a document that does not exist yet. Throws CallProblem, also where there is one under this key. */
export async function createDocument(body: DocumentWrite): Promise<void> {
  if (await findDocument(body.collection, body.doc_id))
    throw new CallProblem(409, "CONFLICT", `There is a document '${body.doc_id}' in '${body.collection}' already.`);
  const { indexed, fleet_id } = await call("writeDocument", { body });
  const where =
    fleet_id === (body.fleet_id ?? null) ? "Written" : `Written in project ${shownFleet(fleet_id)}, that of this key`;
  toast(indexed ? `${where}; search finds it.` : `${where}. It has no summary: search does not reach it.`);
}

/** Replaces a document, with a way back. Throws CallProblem, also where it is no longer as it was when editing began. */
export async function replaceDocument(before: Document, body: DocumentWrite): Promise<void> {
  const current = await findDocument(before.collection, before.doc_id);
  if (current?.updated_at !== before.updated_at)
    throw new CallProblem(409, "CONFLICT", "Somebody changed or deleted this document while you edited it.");
  const written = await call("writeDocument", { body });
  toast("Saved.", { undo: () => replaceDocument(written, asWritten(before)) });
}

/** Deletes a document, with a way back. Throws CallProblem. */
export async function deleteDocument(document: Document): Promise<void> {
  const { collection, doc_id } = document;
  await call("removeDocument", { path: { doc_id }, query: { collection } });
  toast(`Deleted ${doc_id}.`, { undo: () => createDocument(asWritten(document)) });
}

/** What writes a document as it is. */
export const asWritten = ({ collection, doc_id, data, fleet_id }: Document): DocumentWrite => ({
  collection,
  doc_id,
  data,
  fleet_id,
});
