import { detectContradictions } from "../contradictions/detect.ts";
import { linkEntities } from "../entities/link.ts";
import { lazily } from "../kernel/lazily.ts";
import { turn } from "../kernel/turns.ts";
import type { Services } from "../ports/context.ts";
import type { Job } from "../schema/job.ts";
import { prepareStates } from "../text/lexicon/states.ts";

/** Once, behind the loading of this code, which holds the thread as long: the largest word list, in a turn of its own. */
const prepared = lazily(async () => {
  await turn();
  prepareStates();
  await turn();
});

type UnderstandJob = Extract<Job, { kind: "understand_memories" }>;

/** Job: reads what stored memories say. Each step survives being run twice, and rows that are gone. */
export async function understandMemories(
  services: Services,
  { payload, signal }: UnderstandJob & { readonly signal?: AbortSignal },
): Promise<void> {
  await prepared();
  await linkEntities(services, { ...payload, signal });
  await turn();
  await detectContradictions(services, { ...payload, ...(signal ? { signal } : {}) });
}
