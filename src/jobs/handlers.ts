import type { Services } from "../core/ports/context.ts";
import type { LeasedJob } from "../core/ports/job-store.ts";
import type { Job } from "../core/schema/job.ts";
import { embedDocuments } from "../documents/embed.ts";
import { scheduleForge } from "../forge/schedule.ts";
import { embedMemories } from "../memories/embed.ts";
import { applyRetention } from "../memories/retention.ts";
import { promoteSkills } from "../skills/lifecycle/promote.ts";
import { reviewSkills, scheduleReviews } from "../skills/lifecycle/review.ts";
import { eraseResidue } from "../system/keeping/residue.ts";
import { removeSpent } from "../system/keeping/retention.ts";
import { rewordRows } from "../system/keeping/reword.ts";
import { rereadRows } from "./reread-rows.ts";

/** When a recurring job is due again, in epoch milliseconds; the jobs in the place of one; nothing for one that is done. */
type Outcome = number | readonly Job[] | undefined;

/**
 * Hands a job to its verb, which stops soon after the signal fires. What reads texts is loaded with its first job: its word lists take longer to
 * set up than the whole server.
 */
export async function runJob(
  services: Services,
  { job, attempt }: Pick<LeasedJob, "job" | "attempt">,
  signal: AbortSignal,
): Promise<Outcome> {
  switch (job.kind) {
    case "embed_memories": {
      const measure = services.pace.embedding.begin();
      measure(await embedMemories(services, { ...job, signal }));
      return undefined;
    }
    case "embed_documents":
      await embedDocuments(services, { ...job, signal });
      return undefined;
    case "understand_memories": {
      const { understandMemories } = await import("./understand-memories.ts");
      const measure = services.pace.understanding.begin();
      await understandMemories(services, { ...job, signal });
      measure(job.payload.memory_ids.length);
      return undefined;
    }
    case "compare_stated": {
      const { compareStated } = await import("../conflicts/compare-stated.ts");
      await compareStated(services, { ...job.payload, signal });
      return undefined;
    }
    case "promote_skills":
      await promoteSkills(services, { ...job, signal });
      return undefined;
    case "review_skills":
      await reviewSkills(services, { ...job, signal });
      return undefined;
    case "skills_schedule":
      return scheduleReviews(services);
    case "memories_schedule":
      return applyRetention(services, signal);
    case "retention_schedule":
      return removeSpent(services, signal);
    case "wipe_traces":
      await eraseResidue(services, signal);
      return undefined;
    case "reword_rows":
      await rewordRows(services, { ...job, signal });
      return undefined;
    case "reread_rows": {
      const measure = services.pace.embedding.begin();
      const { embedded, next } = await rereadRows(services, { ...job, attempt, signal });
      measure(embedded);
      return next;
    }
    case "rejudge_memories": {
      const { rejudge } = await import("../conflicts/rejudge.ts");
      return rejudge(services, { ...job, signal });
    }
    case "forge_tick": {
      const { runForge: forgeTick } = await import("../forge/run.ts");
      await forgeTick(services, { ...job, signal });
      return undefined;
    }
    case "forge_schedule":
      return scheduleForge(services);
    default:
      return job satisfies never;
  }
}
