import { z } from "zod";
import { instant } from "./common.ts";

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
