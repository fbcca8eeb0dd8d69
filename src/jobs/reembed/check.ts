import { AppError } from "../../core/kernel/errors.ts";
import { dot } from "../../core/kernel/vectors.ts";
import type { Services } from "../../core/ports/context.ts";
import type { Models } from "../../core/ports/keeping/reembedding.ts";
import { embedRows } from "../../memories/embed.ts";

/** Memories that are read once more. */
const SAMPLE = 48;
/** Least cosine of a vector to what the model makes of the same text again: rounding, not another text. */
const SAME_MIN = 0.97;

/**
 * Looks at what another model has made: its index fits its vectors, a sample of memories is found by their own, and the model
 * makes the same of them again. Throws AppError UNAVAILABLE that says what is not so.
 */
export async function checkGeneration(
  { generations }: Services["storage"],
  { embedder }: Models,
  signal: AbortSignal,
): Promise<void> {
  const sample = await generations.sample(SAMPLE);
  const lost = sample.filter(({ is_found }) => !is_found).length;
  if (lost > 0) throw unsound(`${lost} of ${sample.length} memories are not found by their own vectors`);
  const alone = sample.filter(({ is_alone }) => is_alone);
  const again = await embedRows(
    { embedder },
    alone.map(({ row }) => row),
    { role: "passage", priority: "background", signal },
  );
  const others = alone.filter(({ own }, i) => dot(own, again[i]?.own ?? own) < SAME_MIN).length;
  if (others > 0) throw unsound(`the model reads ${others} of ${alone.length} texts otherwise than before`);
}

const unsound = (why: string): AppError =>
  new AppError(
    "UNAVAILABLE",
    `The new vectors were checked, and are not sound: ${why}. Give them up with \`cairn reembed --cancel\`, then \`--drop-old\` where they are kept, and begin again.`,
  );
