import type { Services } from "../ports/context.ts";
import type { StoredDocument } from "../ports/document-store.ts";
import type { Job } from "../schema/job.ts";

type EmbedJob = Extract<Job, { kind: "embed_documents" }>;

/** The work that gives a vector to a searchable document stored without one. */
export function embedDocumentJobs({ id, tenant_id, summary, embedded_by }: StoredDocument): EmbedJob[] {
  return summary !== null && embedded_by === null
    ? [{ kind: "embed_documents", payload: { tenant_id, ids: [id] } }]
    : [];
}

/** Job: embeds the documents that still wait. Running it twice changes nothing. */
export async function embedDocuments(
  { storage, embedder }: Services,
  { payload, signal }: EmbedJob & { readonly signal?: AbortSignal },
): Promise<void> {
  const { tenant_id, ids } = payload;
  const pending = await storage.documents.pending(tenant_id, ids, embedder.id);
  const waiting = pending.flatMap(({ id, summary }) => (summary === null ? [] : [{ id, summary }]));
  const texts = waiting.map(({ summary }) => summary);
  const vectors = await embedder.embed(texts, {
    role: "passage",
    priority: "background",
    ...(signal ? { signal } : {}),
  });
  const filled = waiting.flatMap((document, i) => {
    const vector = vectors[i];
    return vector ? [{ ...document, vector }] : [];
  });
  await storage.documents.fillVectors(tenant_id, filled);
}
