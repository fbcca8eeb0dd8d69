import { embedInTime } from "../embedding/in-time.ts";
import type { Services } from "../ports/context.ts";
import type { Paraphrase } from "../ports/document-store.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { QueryVector } from "../ports/hits.ts";
import type { Searchable } from "./searchable.ts";

/** The second reader; null without one, and once it could not be loaded: documents then go by the first alone. */
export const secondReader = ({ paraphraser }: Services): Embedder | null =>
  paraphraser?.state().phase === "failed" ? null : paraphraser;

/** A question as the second reader reads it; null, at once, while no model is ready, and when it is late or broken. */
export async function paraphraseQuestion(services: Services, question: string): Promise<QueryVector | null> {
  const embedder = secondReader(services);
  if (embedder?.state().phase !== "ready") return null;
  const instead = "documents ranked by one reader";
  const vectors = await embedInTime({ embedder, log: services.log }, [question], { role: "query", instead });
  const [values] = vectors ?? [];
  return values ? { embedder_id: embedder.id, values } : null;
}

/** What the second reader makes of a document that a caller waits for; null when it is late or broken. */
export async function paraphraseInTime(services: Services, searchable: Searchable): Promise<Paraphrase | null> {
  const embedder = secondReader(services);
  if (!embedder) return null;
  const instead = "second reading deferred";
  const texts = textsToRead(searchable);
  const vectors = await embedInTime({ embedder, log: services.log }, texts, { role: "passage", instead });
  return toParaphrase(embedder, vectors ?? []);
}

/** What the second reader reads of a document, in the order that `toParaphrase` takes the vectors. */
export const textsToRead = ({ readings }: Searchable): string[] => [readings.summary, readings.whole];

/** The two vectors of one document, or null when they are not both there. */
export function toParaphrase({ id }: Embedder, [summary, whole]: readonly Float32Array[]): Paraphrase | null {
  return summary && whole ? { embedder_id: id, summary, whole } : null;
}
