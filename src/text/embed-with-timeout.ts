import { describeCause } from "../core/kernel/log.ts";
import { isSilent } from "../core/kernel/vectors.ts";
import type { Services } from "../core/ports/context.ts";
import type { EmbedOptions, EmbedRole } from "../core/ports/embedder.ts";
import type { EmbeddedQuery } from "../core/ports/hits.ts";
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

/** A query as the model embeds it, or what it lacks: at once while the model is not ready. */
export async function embedQuery(
  services: Pick<Services, "embedder" | "log">,
  query: string,
  wait_ms?: Waiting["wait_ms"],
): Promise<EmbeddedQuery> {
  const { embedder } = services;
  const waiting = { role: "query", instead: "search by keyword only", wait_ms } as const;
  const isReady = embedder.state().phase === "ready";
  const [values] = (isReady ? await embedWithTimeout(services, [query], waiting) : null) ?? [];
  if (!values) return { vector: null, lacks: "busy" };
  if (isSilent(values)) return { vector: null, lacks: "silent" };
  return { vector: { embedder_id: embedder.id, values }, lacks: null };
}
