import type { JobLane } from "../../../core/ports/job-store.ts";
import type { JobKind } from "../../../core/schema/job.ts";

/** What searches wait for, as what is not embedded yet is found by keyword alone; and everything else. */
const RANKS: Readonly<Record<JobLane, number>> = { embedding: 0, others: 1 };
const EMBEDDING_KINDS: readonly JobKind[] = ["embed_memories", "embed_documents"];

export const rankOfLane = (lane: JobLane): number => RANKS[lane];

/** How early a kind of job has its turn. */
export const rankOf = (kind: JobKind): number => rankOfLane(EMBEDDING_KINDS.includes(kind) ? "embedding" : "others");
