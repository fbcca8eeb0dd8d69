import { unlessSilent } from "../core/kernel/vectors.ts";
import type { Services } from "../core/ports/context.ts";
import type { Cluster } from "./cluster.ts";
import { distil, sentencesOf } from "./distil.ts";
import type { SkillDraft } from "./skill-draft.ts";

/** Sentences embedded at a time: a job that is told to stop does so soon. */
const SENTENCES_PER_STEP = 32;

interface DraftOptions {
  /** UTF-8 bytes of the description at most. */
  readonly description_max_bytes: number;
  readonly signal: AbortSignal;
}

/** What the runs of a cluster have in common, written down; null when that is no procedure. */
export async function draftOf(
  { embedder }: Services,
  cluster: Cluster,
  { description_max_bytes, signal }: DraftOptions,
): Promise<SkillDraft | null> {
  const sentences = sentencesOf(cluster);
  const vectors = new Map<string, Float32Array>();
  // A model that cannot be loaded leaves the words, which align the runs worse, but do.
  const isBroken = embedder.state().phase === "failed";
  for (let i = 0; i < sentences.length && !isBroken; i += SENTENCES_PER_STEP) {
    const texts = sentences.slice(i, i + SENTENCES_PER_STEP);
    const options = { role: "passage", priority: "background", signal } as const;
    for (const [k, made] of (await embedder.embed(texts, options)).entries()) {
      const vector = unlessSilent(made);
      if (vector) vectors.set(texts[k] ?? "", vector);
    }
  }
  return distil(cluster, { vectors, center: embedder.center, description_max_bytes });
}
