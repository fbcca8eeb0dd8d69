import { detectContradictions } from "../contradictions/detect.ts";
import { linkEntities } from "../entities/link.ts";
import type { Services } from "../ports/context.ts";
import type { Job } from "../schema/job.ts";

type UnderstandJob = Extract<Job, { kind: "understand_memories" }>;

/** Job: reads what stored memories say. Each step survives being run twice, and rows that are gone. */
export async function understandMemories(
  services: Services,
  { payload, signal }: UnderstandJob & { readonly signal?: AbortSignal },
): Promise<void> {
  await linkEntities(services, { ...payload, signal });
  await detectContradictions(services, { ...payload, ...(signal ? { signal } : {}) });
}
