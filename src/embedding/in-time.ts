import { describeCause } from "../core/kernel/log.ts";
import type { Services } from "../core/ports/context.ts";
import type { Embedder, EmbedRole } from "../core/ports/embedder.ts";
import type { QueryVector } from "../core/ports/hits.ts";

/** How long somebody who waits for a reply waits for vectors; the model answers in milliseconds once it is loaded. */
const WAIT_MS: Readonly<Record<EmbedRole, number>> = { query: 2_000, passage: 5_000 };

/**
 * Vectors of texts that a caller waits for, or null when the model is late or broken: what then happens without them is
 * named by `instead`, for the log.
 */
export async function embedInTime(
  { embedder, log }: Pick<Services, "embedder" | "log">,
  texts: readonly string[],
  { role, instead }: { role: EmbedRole; instead: string },
): Promise<Float32Array[] | null> {
  try {
    const signal = AbortSignal.timeout(WAIT_MS[role]);
    return await embedder.embed(texts, { role, priority: "interactive", signal });
  } catch (error) {
    log.warn(instead, { cause: describeCause(error) });
    return null;
  }
}

/** A question as one reader reads it; null, at once, while that reader is not ready, and when it is late or broken. */
export async function embedQuestion(
  { log }: Pick<Services, "log">,
  reader: Embedder | null,
  { question, instead }: { question: string; instead: string },
): Promise<QueryVector | null> {
  if (reader?.state().phase !== "ready") return null;
  const [values] = (await embedInTime({ embedder: reader, log }, [question], { role: "query", instead })) ?? [];
  return values ? { embedder_id: reader.id, values } : null;
}

/** A question as both readers of memories read it; null without the first: the search then goes by keyword alone. */
export async function embedQuestionTwice(services: Services, question: string): Promise<QueryVector | null> {
  const [first, again] = await Promise.all([
    embedQuestion(services, services.embedder, { question, instead: "search by keyword only" }),
    embedQuestion(services, services.second, { question, instead: "search by one reader" }),
  ]);
  return first && { ...first, second: again?.values ?? null };
}
