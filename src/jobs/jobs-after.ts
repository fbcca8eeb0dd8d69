import type { DueJob, RowKey, StorageEvent } from "../core/ports/storage-policies.ts";
import type { Job } from "../core/schema/job.ts";
import { FALLEN_STATUSES } from "../core/schema/memory.ts";
import { embedDocumentsJob } from "../documents/embed.ts";
import { embedJobsOf } from "../memories/embed.ts";
import { understandJobs } from "../memories/jobs.ts";

/** How long a review of skills waits for more memories to fall: many falls make one review. */
export const REVIEW_DELAY_MS = 60_000;
/** How long the words of a deleted document may stay in the log of the data file: many deletions make one pass. */
const RESIDUE_DELAY_MS = 60_000;

const ERASE_RESIDUE: Job = { kind: "wipe_traces", payload: {} };

/** The jobs that follow from what happened to rows: the one place that says what is queued when. */
export function jobsAfter(event: StorageEvent): DueJob[] {
  const { now_ms } = event;
  switch (event.kind) {
    case "memories_stale":
      return due(byTenant(event.rows).flatMap(understandJobs), now_ms);
    case "memories_unembedded":
      return due(byTenant(event.rows).flatMap(embedJobsOf), now_ms);
    case "documents_unembedded":
      return due(byTenant(event.rows).map(embedRows), now_ms);
    case "status_changed": {
      // Skills cite memories; those that cite only fallen ones are stale.
      if (!FALLEN_STATUSES.includes(event.status) || !event.hasActiveSkills()) return [];
      return due([{ kind: "review_skills", payload: { tenant_id: event.tenant_id } }], now_ms + REVIEW_DELAY_MS);
    }
    case "finding_expires":
      return due([{ kind: "memories_schedule", payload: {} }], Date.parse(event.expires_at));
    case "memories_erased":
    case "indexes_rebuilt":
      return due([ERASE_RESIDUE], now_ms);
    case "document_removed":
      return due([ERASE_RESIDUE], now_ms + RESIDUE_DELAY_MS);
    default:
      return event satisfies never;
  }
}

const due = (jobs: readonly Job[], due_ms: number): DueJob[] => jobs.map((job) => ({ job, due_ms }));

const embedRows = (rows: readonly RowKey[]): Job =>
  embedDocumentsJob(
    rows[0]?.tenant_id ?? "",
    rows.map(({ id }) => id),
  );

const byTenant = (rows: readonly RowKey[]): RowKey[][] => [...Map.groupBy(rows, (row) => row.tenant_id).values()];
