import { z } from "zod";
import { instant } from "../common.ts";

/** What a finding makes of the older of two memories where that is merely likely, or true of a part: nothing. */
export const POSSIBLE = "possible";
/** Name of the rule by which only a part of the older text has changed. */
export const PART = "part";

export const PossibleChange = z
  .object({
    memory_id: z.string().describe("The newer memory."),
    content_preview: z.string(),
    created_at: instant(),
    rule: z.string(),
    confidence: z.number(),
  })
  .meta({
    id: "PossibleChange",
    description: "A newer memory by which this one may hold no longer, wholly or in part; nobody has decided.",
  });
export type PossibleChange = z.infer<typeof PossibleChange>;
