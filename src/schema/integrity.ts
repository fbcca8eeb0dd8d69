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

export const IntegrityReport = z
  .object({ ok: z.boolean(), checks: z.array(IntegrityCheck) })
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
