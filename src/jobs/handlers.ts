import { embedDocuments } from "../documents/embed.ts";
import { embedMemories } from "../memories/embed.ts";
import type { Services } from "../ports/context.ts";
import type { Job } from "../schema/job.ts";
import { understandMemories } from "../understanding/understand.ts";

/** Hands a job to its verb, which stops soon after the signal fires. */
export async function runJob(services: Services, job: Job, signal: AbortSignal): Promise<void> {
  switch (job.kind) {
    case "embed_memories":
      return embedMemories(services, { ...job, signal });
    case "embed_documents":
      return embedDocuments(services, { ...job, signal });
    case "understand_memories":
      return understandMemories(services, { ...job, signal });
    default:
      return job satisfies never;
  }
}
