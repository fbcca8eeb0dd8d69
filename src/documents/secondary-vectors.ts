import type { Services } from "../core/ports/context.ts";
import type { SecondaryVectors } from "../core/ports/document-store.ts";
import type { Embedder } from "../core/ports/embedder.ts";
import { embedWithTimeout, usable } from "../text/embed-with-timeout.ts";
import type { Searchable } from "./searchable.ts";

/** What the secondary embedder makes of a document that a caller waits for; null when it is late or broken. */
export async function secondaryVectorsInTime(
  services: Services,
  searchable: Searchable,
): Promise<SecondaryVectors | null> {
  const embedder = usable(services.secondaryDocumentEmbedder);
  if (!embedder) return null;
  const instead = "second reading deferred";
  const texts = textsToRead(searchable);
  const vectors = await embedWithTimeout({ embedder, log: services.log }, texts, { role: "passage", instead });
  return toSecondaryVectors(embedder, vectors ?? []);
}

/** What the secondary embedder reads of a document, in the order that `toParaphrase` takes the vectors. */
export const textsToRead = ({ readings }: Searchable): string[] => [readings.summary, readings.whole];

/** The two vectors of one document, or null when they are not both there. */
export function toSecondaryVectors(
  { id }: Embedder,
  [summary, whole]: readonly Float32Array[],
): SecondaryVectors | null {
  return summary && whole ? { embedder_id: id, summary, whole } : null;
}
