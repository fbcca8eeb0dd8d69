import { z } from "zod";

export const Snapshot = z
  .object({
    taken_at: z.string(),
    memories: z.int().describe("Live memories of all tenants."),
    bytes: z.int().describe("What it takes in memory."),
  })
  .meta({ id: "Snapshot", description: "The state that a server in memory is put back to." });
export type Snapshot = z.infer<typeof Snapshot>;
