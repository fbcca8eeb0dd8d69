import { z } from "zod";

const JobCounts = z.object({
  kind: z.string(),
  due: z.int(),
  running: z.int(),
  scheduled: z.int().describe("To be run later: failed, and tried again after a pause."),
  failing: z.int().describe("Failed at least once, wherever they are now."),
});

const FailingJob = z.object({
  tenant_id: z.string().nullable().describe("Null for work that belongs to no tenant."),
  kind: z.string(),
  attempt: z.int().describe("How often it was tried."),
  run_after: z.string().describe("When it is tried again, or, while it runs, when it counts as given up."),
  reason: z.string().describe("Why it failed last."),
});

export const UnfinishedJobs = z
  .object({
    counts: z.array(JobCounts).describe("By kind. Kinds that come again and again are never finished, and left out."),
    failing: z.array(FailingJob).describe("The 100 that were tried most often, most attempts first."),
  })
  .meta({ id: "UnfinishedJobs" });
export type UnfinishedJobs = z.infer<typeof UnfinishedJobs>;
