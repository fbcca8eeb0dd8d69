import { detectContradictions } from "../conflicts/detect.ts";
import { yieldToEventLoop } from "../core/kernel/event-loop.ts";
import type { Services } from "../core/ports/context.ts";
import type { Job } from "../core/schema/job.ts";
import { linkEntities } from "../entities/link.ts";

type UnderstandJob = Extract<Job, { kind: "understand_memories" }>;

/** Job: reads what stored memories say. Each step survives being run twice, and rows that are gone. */
export async function understandMemories(
  services: Services,
  { payload, signal }: UnderstandJob & { readonly signal?: AbortSignal },
): Promise<void> {
  await linkEntities(services, { ...payload, signal });
  await yieldToEventLoop();
  await detectContradictions(services, { ...payload, ...(signal ? { signal } : {}) });
}
