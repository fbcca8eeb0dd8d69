import { prepareStates } from "../claims/lexicon/states.ts";
import { detectContradictions } from "../contradictions/detect.ts";
import { linkEntities } from "../entities/link.ts";
import { turn } from "../kernel/turns.ts";
import type { Services } from "../ports/context.ts";
import type { Job } from "../schema/job.ts";

type UnderstandJob = Extract<Job, { kind: "understand_memories" }>;

/** Job: reads what stored memories say. Each step survives being run twice, and rows that are gone. */
export async function understandMemories(
  services: Services,
  { payload, signal }: UnderstandJob & { readonly signal?: AbortSignal },
): Promise<void> {
  // Word lists and patterns are set up with their first use: each of these holds the thread for a while the first time.
  await turn();
  prepareStates();
  await turn();
  await linkEntities(services, { ...payload, signal });
  await turn();
  await detectContradictions(services, { ...payload, ...(signal ? { signal } : {}) });
}
