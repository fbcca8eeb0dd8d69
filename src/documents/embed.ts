import type { Services } from "../core/ports/context.ts";
import type { StoredDocument } from "../core/ports/document-store.ts";
import type { Job } from "../core/schema/job.ts";

type EmbedJob = Extract<Job, { kind: "embed_documents" }>;
type RunningJob = EmbedJob & { readonly signal?: AbortSignal };

/** The work that gives vectors to documents, by the ids of their rows. */
export const embedDocumentsJob = (tenant_id: string, ids: readonly string[]): EmbedJob => ({
  kind: "embed_documents",
  payload: { tenant_id, ids: [...ids] },
});

/** The work that gives a vector to a searchable document stored without one. */
export const embedDocumentJobs = ({ id, tenant_id, summary, embedded_by }: StoredDocument): EmbedJob[] =>
  summary !== null && embedded_by === null ? [embedDocumentsJob(tenant_id, [id])] : [];

/** Job: embeds the documents that still wait for it. Running it twice changes nothing. */
export async function embedDocuments({ storage, embedder }: Services, { payload, signal }: RunningJob): Promise<void> {
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
