import { z } from "zod";

/** How many memories a tenant holds and may hold. */
export const Usage = z
  .object({ memories_stored: z.int(), memories_limit: z.int(), writes_remaining: z.int() })
  .meta({ id: "Usage" });
export type Usage = z.infer<typeof Usage>;
