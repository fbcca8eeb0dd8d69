import { z } from "zod";

export const IntegrityCheck = z
  .object({
    name: z.string(),
    ok: z.boolean(),
    /** How many things are not as they should be. */
    faults: z.int(),
    detail: z.string(),
  })
  .meta({ id: "IntegrityCheck" });
export type IntegrityCheck = z.infer<typeof IntegrityCheck>;

export const Damaged = z
  .object({
    table: z.string(),
    index: z.string().nullable().describe("The index of the table that is damaged; null when it is the table itself."),
    derived: z.boolean().describe("It can be made anew from other tables: nothing is lost."),
    detail: z.string(),
  })
  .meta({ id: "Damaged", description: "A table or an index whose pages in the data file are damaged." });
export type Damaged = z.infer<typeof Damaged>;

export const IntegrityReport = z
  .object({ ok: z.boolean(), checks: z.array(IntegrityCheck), damaged: z.array(Damaged) })
  .meta({ id: "IntegrityReport", description: "Whether rows and the indexes made from them agree." });
export type IntegrityReport = z.infer<typeof IntegrityReport>;

export const IndexesRebuilt = z
  .object({
    memories: z.int(),
    documents: z.int(),
    embeddings_queued: z.int().describe("Rows whose vector is made anew."),
    report: IntegrityReport,
  })
  .meta({ id: "IndexesRebuilt" });
export type IndexesRebuilt = z.infer<typeof IndexesRebuilt>;

const UPKEEP_KINDS = ["check", "rebuild"] as const;

export const IntegrityRunRequest = z.object({
  kind: z.enum(UPKEEP_KINDS).default("check").describe("What to begin; a run of this kind that goes on is joined."),
});
export type IntegrityRunRequest = z.infer<typeof IntegrityRunRequest>;

export const IntegrityRun = z
  .object({
    kind: z.enum(UPKEEP_KINDS),
    state: z.enum(["running", "finished", "failed"]),
    done: z.int().describe("Steps that are done."),
    total: z.int().describe("Steps that there are, as far as is known."),
    now: z.string().describe("What is being looked at."),
    started_at: z.string(),
    finished_at: z.string().nullable(),
    report: IntegrityReport.nullable().describe("What was found; null until it is finished."),
    rebuilt: IndexesRebuilt.nullable().describe("What a rebuild did; null until it is finished, and for a check."),
    error: z.string().nullable().describe("Why it failed."),
  })
  .meta({ id: "IntegrityRun", description: "A check or a rebuild that runs, or the last one that did." });
export type IntegrityRun = z.infer<typeof IntegrityRun>;

export const IntegrityRunState = z
  .object({ run: IntegrityRun.nullable().describe("Null when there was none since the start.") })
  .meta({ id: "IntegrityRunState" });
export type IntegrityRunState = z.infer<typeof IntegrityRunState>;
/** Rows of a table that could not be saved. */
export interface LostRows {
  readonly table: string;
  /** Null where nothing tells how many there were. */
  readonly rows: number | null;
  /** Ids of the first of them, as far as an index still has them. */
  readonly ids: readonly string[];
}

/** What became of a damaged data file. */
export interface Salvaged {
  /** Where the damaged file lies now. */
  readonly kept: string;
  /** What was damaged, by name. */
  readonly damaged: readonly string[];
  readonly lost: readonly LostRows[];
}
