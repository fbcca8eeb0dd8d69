import type { JobLane } from "../../core/ports/job-store.ts";
import type { JobKind } from "../../core/schema/job.ts";

const RANKS: Readonly<Record<JobLane, number>> = { embedding: 0, others: 1, stated: 2, reembedding: 3 };
/** What searches wait for, as what is not embedded yet is found by keyword alone; what is done in a moment; what another model has read or judged; and everything else. */
const LANE_OF: Readonly<Partial<Record<JobKind, JobLane>>> = {
  embed_memories: "embedding",
  embed_documents: "embedding",
  compare_stated: "stated",
  reread_rows: "reembedding",
  rejudge_memories: "reembedding",
};

export const rankOfLane = (lane: JobLane): number => RANKS[lane];

/** How early a kind of job has its turn. */
export const rankOf = (kind: JobKind): number => rankOfLane(LANE_OF[kind] ?? "others");
