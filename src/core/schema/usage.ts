import { z } from "zod";

/** How many memories a tenant holds and may hold. */
export const Usage = z
  .object({
    memories_stored: z
      .int()
      .describe("Of what the caller counts: what it sees; all of the tenant for its administrators."),
    memories_limit: z.int().describe("Of the tenant."),
    writes_remaining: z.int().describe("Of what the caller counts; 0 when the tenant is full."),
  })
  .meta({ id: "Usage" });
export type Usage = z.infer<typeof Usage>;
