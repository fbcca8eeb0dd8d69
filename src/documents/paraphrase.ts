import type { Services } from "../core/ports/context.ts";
import type { Paraphrase } from "../core/ports/document-store.ts";
import type { Embedder } from "../core/ports/embedder.ts";
import { embedWithTimeout, usable } from "../text/embed-with-timeout.ts";
import type { Searchable } from "./searchable.ts";

/** What the second reader makes of a document that a caller waits for; null when it is late or broken. */
export async function paraphraseInTime(services: Services, searchable: Searchable): Promise<Paraphrase | null> {
  const embedder = usable(services.paraphraser);
  if (!embedder) return null;
  const instead = "second reading deferred";
  const texts = textsToRead(searchable);
  const vectors = await embedWithTimeout({ embedder, log: services.log }, texts, { role: "passage", instead });
  return toParaphrase(embedder, vectors ?? []);
}

/** What the second reader reads of a document, in the order that `toParaphrase` takes the vectors. */
export const textsToRead = ({ readings }: Searchable): string[] => [readings.summary, readings.whole];

/** The two vectors of one document, or null when they are not both there. */
export function toParaphrase({ id }: Embedder, [summary, whole]: readonly Float32Array[]): Paraphrase | null {
  return summary && whole ? { embedder_id: id, summary, whole } : null;
}
