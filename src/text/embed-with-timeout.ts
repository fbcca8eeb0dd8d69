import { describeCause } from "../core/kernel/log.ts";
import type { Services } from "../core/ports/context.ts";
import type { Embedder, EmbedOptions, EmbedRole } from "../core/ports/embedder.ts";
import type { QueryVector } from "../core/ports/hits.ts";
import { QUERY_WAIT_MS } from "../core/schema/retrieval.ts";

/** How long a caller waits for vectors, in milliseconds; the model answers within a few once it is loaded. */
const TIMEOUT_MS: Readonly<Record<EmbedRole, number>> = { query: QUERY_WAIT_MS, passage: 5_000 };

interface Waiting {
  readonly role: EmbedRole;
  /** What happens without the vectors, for the log. */
  readonly instead: string;
  /** Milliseconds; the usual ones where there are none. */
  readonly wait_ms?: number | null | undefined;
}

/**
 * Embedding work that a caller waits for, given the options to embed with; null when the model is late or broken. Whoever
 * gets null goes on without vectors: by keyword, or with a job that embeds later.
 */
export async function withEmbedTimeout<T>(
  { log }: Pick<Services, "log">,
  { role, instead, wait_ms }: Waiting,
  work: (options: EmbedOptions & { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T | null> {
  try {
    return await work({ role, priority: "interactive", signal: AbortSignal.timeout(wait_ms ?? TIMEOUT_MS[role]) });
  } catch (error) {
    log.warn(instead, { cause: describeCause(error) });
    return null;
  }
}

/** Vectors of texts that a caller waits for, in their order; null when the model is late or broken. */
export const embedWithTimeout = (
  services: Pick<Services, "embedder" | "log">,
  texts: readonly string[],
  waiting: Waiting,
): Promise<Float32Array[] | null> =>
  withEmbedTimeout(services, waiting, (options) => services.embedder.embed(texts, options));

/** A query as one embedder embeds it; null, at once, while that embedder is not ready, and when it is late or broken. */
export async function embedQuery(
  { log }: Pick<Services, "log">,
  reader: Embedder | null,
  { question, ...waiting }: { question: string } & Omit<Waiting, "role">,
): Promise<QueryVector | null> {
  if (reader?.state().phase !== "ready") return null;
  const [values] = (await embedWithTimeout({ embedder: reader, log }, [question], { role: "query", ...waiting })) ?? [];
  return values ? { embedder_id: reader.id, values } : null;
}

/** A query as both embedders of memories embed it; null without the first: the search then uses keywords alone. */
export async function embedQueryWithBoth(
  services: Pick<Services, "embedder" | "secondaryMemoryEmbedder" | "log">,
  question: string,
  wait_ms?: Waiting["wait_ms"],
): Promise<QueryVector | null> {
  const [first, again] = await Promise.all([
    embedQuery(services, services.embedder, { question, wait_ms, instead: "search by keyword only" }),
    embedQuery(services, services.secondaryMemoryEmbedder, { question, wait_ms, instead: "search by one embedder" }),
  ]);
  return first && { ...first, secondary: again?.values ?? null };
}

/** A secondary embedder; null without one, and once it could not be loaded: texts then go by the first alone. */
export const usable = (embedder: Embedder | null): Embedder | null =>
  embedder?.state().phase === "failed" ? null : embedder;
