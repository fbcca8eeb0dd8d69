import { describeCause } from "../core/kernel/log.ts";
import type { Services } from "../core/ports/context.ts";
import type { StoredDocument } from "../core/ports/document-store.ts";
import type { Job } from "../core/schema/job.ts";
import { usable } from "../text/embed-with-timeout.ts";
import { searchableOf } from "./searchable.ts";
import { textsToRead, toSecondaryVectors } from "./secondary-vectors.ts";

type EmbedJob = Extract<Job, { kind: "embed_documents" }>;
type RunningJob = EmbedJob & { readonly signal?: AbortSignal };

/** The work that gives vectors to documents, by the ids of their rows. */
export const embedDocumentsJob = (tenant_id: string, ids: readonly string[]): EmbedJob => ({
  kind: "embed_documents",
  payload: { tenant_id, ids: [...ids] },
});

/** The work that gives vectors to a searchable document stored without one, or that the secondary embedder has yet to read. */
export function embedDocumentJobs(
  { id, tenant_id, summary, embedded_by }: StoredDocument,
  isReadTwice = false,
): EmbedJob[] {
  return summary !== null && (embedded_by === null || !isReadTwice) ? [embedDocumentsJob(tenant_id, [id])] : [];
}

/** Job: embeds the documents that still wait for either embedder. Running it twice changes nothing. */
export async function embedDocuments(services: Services, job: RunningJob): Promise<void> {
  await fillVectors(services, job);
  await fillParaphrases(services, job);
}

async function fillVectors({ storage, embedder }: Services, { payload, signal }: RunningJob): Promise<void> {
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

/** A secondary embedder that cannot be loaded is done without; one that is only busy makes the job try again. */
async function fillParaphrases(services: Services, { payload, signal }: RunningJob): Promise<void> {
  const { storage, log } = services;
  const { tenant_id, ids } = payload;
  const reader = usable(services.secondaryDocumentEmbedder);
  if (!reader) return;
  const unread = await storage.documents.withoutSecondaryVectors(tenant_id, ids, reader.id);
  const waiting = unread.flatMap(({ id, collection, doc_id, data }) => {
    const searchable = searchableOf(collection, doc_id, data);
    return searchable ? [{ id, data, texts: textsToRead(searchable) }] : [];
  });
  try {
    const vectors = await reader.embed(
      waiting.flatMap(({ texts }) => texts),
      { role: "passage", priority: "background", ...(signal ? { signal } : {}) },
    );
    let from = 0;
    const filled = waiting.flatMap(({ id, data, texts }) => {
      const secondary_vectors = toSecondaryVectors(reader, vectors.slice(from, from + texts.length));
      from += texts.length;
      return secondary_vectors ? [{ id, data, secondary_vectors }] : [];
    });
    await storage.documents.fillSecondaryVectors(tenant_id, filled);
  } catch (error) {
    if (usable(services.secondaryDocumentEmbedder)) throw error;
    log.warn("documents ranked by one embedder", { cause: describeCause(error) });
  }
}
